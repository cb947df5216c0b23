// Two GPUs as NVIDIA's libnvidia-ml.so.1 tells them, or what $FAKE_NVML says: "crash", "no_driver", "one_lost".
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {
bool habit(const char* name) {
  const char* wanted = std::getenv("FAKE_NVML");
  return wanted != nullptr && std::strcmp(wanted, name) == 0;
}
int devices[2] = {0, 1};
}  // namespace

extern "C" {
int nvmlInit_v2() {
  if (habit("crash")) std::abort();
  return habit("no_driver") ? 9 : 0;
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = 2;
  return 0;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) {
  *device = &devices[index];
  return index == 0 && habit("one_lost") ? 15 : 0;
}
int nvmlDeviceGetName(void*, char* name, unsigned size) {
  std::snprintf(name, size, "NVIDIA Fake 100");
  return 0;
}
int nvmlDeviceGetUUID(void* device, char* uuid, unsigned size) {
  std::snprintf(uuid, size, "GPU-%d", *static_cast<int*>(device));
  return 0;
}
int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
  memory[0] = 80ULL << 30;
  memory[1] = 79ULL << 30;
  return 0;
}
int nvmlSystemGetDriverVersion(char* version, unsigned size) {
  std::snprintf(version, size, "550.54.15");
  return 0;
}
}
