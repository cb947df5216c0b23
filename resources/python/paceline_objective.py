"""A model of your own in any Python framework, trained by Paceline: {"model": {"id": "python", "params": {"path": "my_model.py"}}}.

Your file ends with one call:

    serve_torch(module, loss=torch.nn.functional.cross_entropy)          # a torch.nn.Module, on the CPU
    serve(parameters, gradient, evaluate)                                # NumPy, JAX, anything else

serve():
    parameters   {name: array of float32}, the starting values
    gradient     (values, inputs, targets) -> (mean loss over the batch, {name: gradient of it})
    evaluate     (values, inputs, targets) -> {"loss": mean, "correct": n, "total": n} or {"loss": mean, "metrics": {name: mean}}
                 of the metrics the first stands for the accuracy; with higher_is_better=False (of either call) minus it does
`values`, `inputs` and `targets` are NumPy views of shared memory, for as long as the call lasts. Either function may take the keyword `seed`, from
which it draws what is random.

Paceline starts the file beside a copy of this one, on every worker. What it prints goes to the worker's log. Needs Python 3.8; serve() needs NumPy.
"""
import inspect
import json
import math
import mmap
import os
import socket


class _Node:
    """The worker on the other side: requests as JSON lines on a socket, numbers in shared memory."""

    def __init__(self):
        fds = os.environ.get("PACELINE_OBJECTIVE")
        if not fds:
            raise SystemExit('this is started by Paceline: "paceline model check FILE --dataset synthetic" tries it')
        channel, self.memory = (int(fd) for fd in fds.split(","))
        self.socket = socket.socket(fileno=channel)
        self.lines = self.socket.makefile("rb")

    def next(self):
        line = self.lines.readline()
        if not line:
            os._exit(0)  # the worker has ended
        return json.loads(line)

    def answer(self, reply):
        self.socket.sendall(json.dumps(reply).encode() + b"\n")


def _dims(count, dims):
    return [count, *dims]


def _number(value):
    value = float(value)
    return value if math.isfinite(value) else None  # JSON has no NaN


def _judged(metrics, higher_is_better):
    return {"metrics": [{"name": name, "value": _number(value)} for name, value in metrics.items()], "lower_is_better": not higher_is_better}


def _serve(blocks, begin, step, judge):
    """blocks: [(name, shape, trainable)]; begin(request), then with the memory's views."""
    node = _Node()
    began = node.next()
    blocks = sorted(blocks, key=lambda block: not block[2])  # statistics last
    begin(began, None, None, None)
    node.answer({"parameters": [{"name": name, "shape": list(shape), "trainable": trainable} for name, shape, trainable in blocks]})
    places = node.next()
    memory = mmap.mmap(node.memory, places["bytes"])
    try:
        begin(began, memory, places, blocks)
        node.answer({})
    except Exception as error:
        node.answer({"error": "%s: %s" % (type(error).__name__, error)})
    while True:
        request = node.next()
        try:
            node.answer(step(request["count"], request["seed"]) if request["do"] == "gradient" else judge(request["count"], request["seed"]))
        except Exception as error:  # the worker says it, and ends
            node.answer({"error": "%s: %s" % (type(error).__name__, error)})


def serve_torch(module, loss=None, metrics=None, higher_is_better=True):
    """Trains `module`: loss(output, target) is cross-entropy or squared error where none is given; metrics(output, target) -> {name: mean}.

    Its parameters and float32 buffers become views of the worker's memory, and so do its gradients: nothing is copied.
    """
    import torch

    named = [(name, tensor, True) for name, tensor in module.named_parameters()]
    named += [(name, tensor, False) for name, tensor in module.named_buffers() if tensor.dtype == torch.float32]
    tensors = {name: tensor for name, tensor, _ in named}
    for name, tensor, trainable in named:
        if tensor.dtype != torch.float32:
            raise SystemExit("parameter %s is %s; only float32 is trained" % (name, tensor.dtype))
    state = {}

    def default_loss(output, target):
        if target.is_floating_point():
            return torch.nn.functional.mse_loss(output.reshape(target.shape), target)
        return torch.nn.functional.cross_entropy(output.flatten(0, -2) if output.dim() > 2 else output, target.flatten())

    loss = loss or default_loss

    def begin(began, memory, places, blocks):
        if memory is None:
            torch.set_num_threads(began["threads"])
            return
        state["began"], state["values"] = began, []
        whole = torch.frombuffer(memory, dtype=torch.float32, count=places["size"], offset=places["gradient"])
        state["gradient"] = whole
        at = 0
        for name, shape, trainable in blocks:
            tensor = tensors[name]
            view = torch.frombuffer(memory, dtype=torch.float32, count=tensor.numel(), offset=places["values"] + 4 * at).view(tensor.shape)
            view.copy_(tensor.detach())
            tensor.data = view
            if trainable:
                tensor.grad = whole[at:at + tensor.numel()].view(tensor.shape)
            state["values"].append((name, tensor, view.data_ptr(), tensor.grad if trainable else None))
            at += tensor.numel()
        for key in ("input", "target"):
            kind = getattr(torch, began[key + "_type"])
            each = math.prod(began[key])
            state[key] = torch.frombuffer(memory, dtype=kind, count=each * places["capacity"], offset=places[key + "s"]).view(_dims(places["capacity"], began[key]))
        module.train()

    def unchanged():
        now = dict(module.named_parameters())
        now.update(module.named_buffers())
        for name, tensor, place, _ in state["values"]:
            if now.get(name) is not tensor or tensor.data_ptr() != place:
                raise ValueError("parameter %s was replaced while the model computed; what is trained would not be what it uses" % name)
        if len(list(module.parameters())) != sum(1 for value in state["values"] if value[3] is not None):
            raise ValueError("the model has %d parameters now, it began with others" % len(list(module.parameters())))

    def step(count, seed):
        torch.manual_seed(seed & 0x7FFFFFFFFFFFFFFF)
        state["gradient"].zero_()
        for _, tensor, _, gradient in state["values"]:
            if gradient is not None:
                tensor.grad = gradient
        value = loss(module(state["input"][:count]), state["target"][:count])
        value.backward()
        for _, tensor, _, gradient in state["values"]:
            if gradient is not None and tensor.grad is not gradient and tensor.grad is not None:
                gradient.copy_(tensor.grad)
        unchanged()
        return {"loss": _number(value.detach()), "size": state["gradient"].numel()}

    def judge(count, seed):
        torch.manual_seed(seed & 0x7FFFFFFFFFFFFFFF)
        module.eval()
        with torch.no_grad():
            output, target = module(state["input"][:count]), state["target"][:count]
            reply = {"loss": _number(loss(output, target))}
            if metrics:
                reply.update(_judged(metrics(output, target), higher_is_better))
            if not target.is_floating_point() and output.dim() == target.dim() + 1:
                reply["correct"], reply["total"] = int(output.argmax(-1).eq(target).sum()), target.numel()
        module.train()
        unchanged()
        return reply

    _serve([(name, tensor.shape, trainable) for name, tensor, trainable in named], begin, step, judge)


def serve(parameters, gradient, evaluate, higher_is_better=True):
    """Trains what the two functions compute; see the head of this file."""
    import numpy

    starting = {name: numpy.asarray(value, dtype=numpy.float32) for name, value in parameters.items()}
    state = {}

    def begin(began, memory, places, blocks):
        if memory is None:
            return
        flat = numpy.frombuffer(memory, dtype=numpy.float32, count=places["size"], offset=places["values"])
        state["gradient"] = numpy.frombuffer(memory, dtype=numpy.float32, count=places["size"], offset=places["gradient"])
        state["values"], at = {}, 0
        for name, shape, _ in blocks:
            state["values"][name] = flat[at:at + starting[name].size].reshape(shape)
            state["values"][name][...] = starting[name]
            at += starting[name].size
        for key in ("input", "target"):
            each = math.prod(began[key])
            array = numpy.frombuffer(memory, dtype=began[key + "_type"], count=each * places["capacity"], offset=places[key + "s"])
            state[key] = array.reshape(_dims(places["capacity"], began[key]))

    def called(function, count, seed):
        extra = {"seed": seed} if "seed" in inspect.signature(function).parameters else {}
        return function(state["values"], state["input"][:count], state["target"][:count], **extra)

    def step(count, seed):
        loss, gradients = called(gradient, count, seed)
        if set(gradients) != set(starting):
            raise ValueError("gradient() gives %s; the parameters are %s" % (", ".join(sorted(gradients)) or "none", ", ".join(sorted(starting))))
        at = 0
        for name, value in starting.items():
            given = numpy.asarray(gradients[name])
            if given.shape != value.shape:
                raise ValueError("the gradient of %s has shape %s, the parameter %s" % (name, given.shape, value.shape))
            state["gradient"][at:at + value.size] = given.reshape(-1)
            at += value.size
        return {"loss": _number(loss), "size": at}

    def judge(count, seed):
        found = dict(called(evaluate, count, seed))
        reply = {"loss": _number(found["loss"])}
        for key in ("correct", "total"):
            if key in found:
                reply[key] = int(found[key])
        if "metrics" in found:
            reply.update(_judged(found["metrics"], higher_is_better))
        return reply

    _serve([(name, value.shape, True) for name, value in starting.items()], begin, step, judge)
