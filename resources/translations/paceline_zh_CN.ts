<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
    <context>
        <name>Paceline</name>
        <message>
            <source> points</source>
            <translation> 个点</translation>
        </message>
        <message>
            <source>"%1" has reached its target accuracy after %2</source>
            <translation>“%1”在 %2 后达到目标准确率</translation>
        </message>
        <message>
            <source>"%1" has reached its target accuracy at %2 after %3</source>
            <translation>“%1”在 %3 后达到目标准确率 %2</translation>
        </message>
        <message>
            <source>"%1" has started%2</source>
            <translation>“%1”已开始%2</translation>
        </message>
        <message>
            <source>%1
%2 Mbit/s
%3 ms one way (half the round trip's median)</source>
            <translation>%1
%2 Mbit/s
单向 %3 ms（往返中位数的一半）</translation>
        </message>
        <message>
            <source>%1
SHA-256 %2

A model file is code: the hosts of a run execute it with your rights there. This window never does. Confirm it if you know who wrote it; another content is asked for again.</source>
            <translation>%1
SHA-256 %2

模型文件是代码：运行的主机会以您在那里的权限执行它，本窗口从不执行。如果您知道作者是谁，请确认；内容改变后会再次询问。</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <comment>how many values a field takes</comment>
            <translation>%1 个%2</translation>
        </message>
        <message>
            <source>%1 %2</source>
            <comment>two sentences</comment>
            <translation>%1%2</translation>
        </message>
        <message>
            <source>%1 %2 added</source>
            <translation>添加了%1 %2</translation>
        </message>
        <message>
            <source>%1 %2 on %3, %4</source>
            <translation>%1 %2，位于 %3，%4</translation>
        </message>
        <message>
            <source>%1 (%2 in the trash)</source>
            <translation>%1（%2 个在回收站中）</translation>
        </message>
        <message>
            <source>%1 (%2 of %3)</source>
            <translation>%1（%3 个中 %2 个）</translation>
        </message>
        <message>
            <source>%1 (%2 to %3)</source>
            <translation>%1（%2 至 %3）</translation>
        </message>
        <message>
            <source>%1 (%2; zoom in to see why)</source>
            <translation>%1（%2；放大可查看原因）</translation>
        </message>
        <message>
            <source>%1 (and %2 more)</source>
            <translation>%1（另有 %2 个）</translation>
        </message>
        <message>
            <source>%1 (Ctrl+L)</source>
            <translation>%1（Ctrl+L）</translation>
        </message>
        <message>
            <source>%1 (in the trash)</source>
            <translation>%1（在回收站中）</translation>
        </message>
        <message>
            <source>%1 (last)</source>
            <translation>%1（最后）</translation>
        </message>
        <message>
            <source>%1 (not predicted: %2)</source>
            <translation>%1（未预测：%2）</translation>
        </message>
        <message>
            <source>%1 (not seen on the host)</source>
            <translation>%1（主机上未见）</translation>
        </message>
        <message>
            <source>%1 (not ticked)</source>
            <translation>%1（未勾选）</translation>
        </message>
        <message>
            <source>%1 (simulated)</source>
            <comment>a time</comment>
            <translation>%1（模拟）</translation>
        </message>
        <message>
            <source>%1 + %2 images</source>
            <translation>%1 + %2 张图片</translation>
        </message>
        <message>
            <source>%1 + %2 others</source>
            <translation>%1 以及另外 %2 个</translation>
        </message>
        <message>
            <source>%1 ... %2, %3 alike</source>
            <translation>%1 …… %2，%3 个相同</translation>
        </message>
        <message>
            <source>%1 after %2 s</source>
            <translation>%2 s 后达到 %1</translation>
        </message>
        <message>
            <source>%1 after about %2: run "%3" needed %4 samples.</source>
            <translation>约 %2 后达到 %1：运行“%3”用了 %4 个样本。</translation>
        </message>
        <message>
            <source>%1 after less than 0.1 s: run "%2" needed %3 samples.</source>
            <translation>不到 0.1 s 达到 %1：运行"%2"用了 %3 个样本。</translation>
        </message>
        <message>
            <source>%1 and %2</source>
            <translation>%1，且%2</translation>
        </message>
        <message>
            <source>%1 and %2 more</source>
            <translation>%1 以及另外 %2 个</translation>
        </message>
        <message>
            <source>%1 and everything recorded of it will be gone. This cannot be undone.</source>
            <translation>%1 及其所有记录都将消失。此操作无法撤销。</translation>
        </message>
        <message>
            <source>%1 and everything recorded of them will be gone. This cannot be undone.</source>
            <translation>%1 及其所有记录都将消失。此操作无法撤销。</translation>
        </message>
        <message>
            <source>%1 asks</source>
            <translation>%1 的提问</translation>
        </message>
        <message>
            <source>%1 busy</source>
            <translation>%1 忙碌</translation>
        </message>
        <message>
            <source>%1 by emulated step times</source>
            <translation>%1 个按模拟的单步时间</translation>
        </message>
        <message>
            <source>%1 by like runs in the store</source>
            <translation>%1 个按存储库中的类似运行</translation>
        </message>
        <message>
            <source>%1 by the stop rules</source>
            <translation>%1 个按停止规则</translation>
        </message>
        <message>
            <source>%1 bytes</source>
            <translation>%1 字节</translation>
        </message>
        <message>
            <source>%1 cannot be read</source>
            <translation>无法读取 %1</translation>
        </message>
        <message>
            <source>%1 classes are drawn in %2 bars of %3</source>
            <translation>%1 个类别绘成 %2 个条形，每条 %3 个</translation>
        </message>
        <message>
            <source>%1 classes are drawn in %2 ranges of %3; the summary has every count</source>
            <translation>%1 个类别绘成 %2 段，每段 %3 个；摘要中有每个计数</translation>
        </message>
        <message>
            <source>%1 could not be downloaded: %2</source>
            <translation>无法下载 %1：%2</translation>
        </message>
        <message>
            <source>%1 CPU</source>
            <translation>%1 的 CPU</translation>
        </message>
        <message>
            <source>%1 does not use it; its own, if it has one, is a parameter above</source>
            <translation>%1 不使用它；其自身的（若有）为上方的参数</translation>
        </message>
        <message>
            <source>%1 each waited %2 at most, for %3</source>
            <translation>%1 各等待 %3，最多 %2</translation>
        </message>
        <message>
            <source>%1 each waited %2 for %3</source>
            <translation>%1 各等待 %3 %2</translation>
        </message>
        <message>
            <source>%1 each waited %2 for %3: %4</source>
            <translation>%1 各等待 %3 %2：%4</translation>
        </message>
        <message>
            <source>%1 evaluates</source>
            <translation>由 %1 评估</translation>
        </message>
        <message>
            <source>%1 failed</source>
            <translation>失败 %1</translation>
        </message>
        <message>
            <source>%1 fetched</source>
            <translation>已获取 %1</translation>
        </message>
        <message>
            <source>%1 file</source>
            <translation>%1 文件</translation>
        </message>
        <message>
            <source>%1 finished</source>
            <translation>完成 %1</translation>
        </message>
        <message>
            <source>%1 for %2, %3</source>
            <translation>%1，目标为%2，%3</translation>
        </message>
        <message>
            <source>%1 for %2, %3, %4 seeds a point</source>
            <translation>%1，目标为%2，%3，每点 %4 个种子</translation>
        </message>
        <message>
            <source>%1 for %2, %3, %4 seeds a point, the best 1/%5 go on after %6, %7, ... %8</source>
            <translation>%1，目标为%2，%3，每点 %4 个种子，在 %6、%7、……%8 后最优的 1/%5 继续</translation>
        </message>
        <message>
            <source>%1 for %2, %3, the best 1/%4 go on after %5, %6, ... %7</source>
            <translation>%1，目标为%2，%3，在 %5、%6、……%7 后最优的 1/%4 继续</translation>
        </message>
        <message>
            <source>%1 free</source>
            <translation>%1 空闲</translation>
        </message>
        <message>
            <source>%1 free of %2</source>
            <translation>%2 中 %1 空闲</translation>
        </message>
        <message>
            <source>%1 from %2 to %3</source>
            <translation>%1：从 %2 改为 %3</translation>
        </message>
        <message>
            <source>%1 from step %2</source>
            <translation>%1，从第 %2 步起</translation>
        </message>
        <message>
            <source>%1 given up</source>
            <translation>放弃 %1</translation>
        </message>
        <message>
            <source>%1 held</source>
            <translation>暂停 %1</translation>
        </message>
        <message>
            <source>%1 in progress</source>
            <translation>%1 个进行中</translation>
        </message>
        <message>
            <source>%1 in progress, %2 waiting</source>
            <translation>%1 个进行中，%2 个等待中</translation>
        </message>
        <message>
            <source>%1 in the list already.</source>
            <translation>%1 台已在列表中。</translation>
        </message>
        <message>
            <source>%1 in the mean, cost accuracy</source>
            <translation>%1（平均），损失准确率</translation>
        </message>
        <message>
            <source>%1 in the mean, cost accuracy; %2</source>
            <translation>%1（平均），损失准确率；%2</translation>
        </message>
        <message>
            <source>%1 in this folder will be replaced, the first is %2.</source>
            <translation>此文件夹中的 %1 将被替换，第一个是 %2。</translation>
        </message>
        <message>
            <source>%1 is a file, not a folder</source>
            <translation>%1 是文件，不是文件夹</translation>
        </message>
        <message>
            <source>%1 is not followed any more: %2</source>
            <translation>不再跟踪 %1：%2</translation>
        </message>
        <message>
            <source>%1 is not on this computer: a run here would fail.</source>
            <translation>本机没有 %1：在此运行会失败。</translation>
        </message>
        <message>
            <source>%1 is the store that is open.</source>
            <translation>%1 就是当前打开的存储库。</translation>
        </message>
        <message>
            <source>%1 It was %2: %3.</source>
            <translation>%1 其状态为%2：%3。</translation>
        </message>
        <message>
            <source>%1 local steps (Local SGD)</source>
            <translation>%1 个本地步（Local SGD）</translation>
        </message>
        <message>
            <source>%1 min</source>
            <translation>%1 分钟</translation>
        </message>
        <message>
            <source>%1 ms ahead, within %2 ms</source>
            <translation>超前 %1 ms，误差 %2 ms 以内</translation>
        </message>
        <message>
            <source>%1 no data</source>
            <translation>%1 个无数据</translation>
        </message>
        <message>
            <source>%1 not run</source>
            <translation>未运行 %1</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <translation>%1 / %2</translation>
        </message>
        <message>
            <source>%1 of %2</source>
            <comment>a field, its nodes</comment>
            <translation>%2 的%1</translation>
        </message>
        <message>
            <source>%1 of %2 (%3 %)</source>
            <translation>%1 / %2（%3 %）</translation>
        </message>
        <message>
            <source>%1 of %2 different runs are predicted.</source>
            <translation>%2 个不同运行中已预测 %1 个。</translation>
        </message>
        <message>
            <source>%1 of %2 done</source>
            <translation>完成 %1 / %2</translation>
        </message>
        <message>
            <source>%1 of %2 done, %3 failed</source>
            <translation>完成 %1 / %2，失败 %3</translation>
        </message>
        <message>
            <source>%1 of %2 exported</source>
            <translation>已导出 %1 / %2</translation>
        </message>
        <message>
            <source>%1 of %2 in %3 classes.</source>
            <translation>%1，形状 %2，%3 个类别。</translation>
        </message>
        <message>
            <source>%1 of %2 points shown</source>
            <translation>显示 %1 / %2 个点</translation>
        </message>
        <message>
            <source>%1 of %2 runs</source>
            <translation>%1 / %2 个运行</translation>
        </message>
        <message>
            <source>%1 of %2 runs are compared now; the list at the left has the others.</source>
            <translation>现在对比 %2 个运行中的 %1 个；其余在左侧列表中。</translation>
        </message>
        <message>
            <source>%1 of %2 runs are simulated: times are virtual</source>
            <translation>%2 个运行中有 %1 个为模拟：时间为虚拟时间</translation>
        </message>
        <message>
            <source>%1 of %2 runs have no place on %3: each %4</source>
            <translation>%2 个运行中有 %1 个在“%3”上没有位置：均%4</translation>
        </message>
        <message>
            <source>%1 of %2 runs is simulated: times are virtual</source>
            <translation>%2 个运行中有 %1 个为模拟：时间为虚拟时间</translation>
        </message>
        <message>
            <source>%1 of %2 runs within</source>
            <translation>区间内 %1 / %2 个运行</translation>
        </message>
        <message>
            <source>%1 of %2 runs: %3 samples/s</source>
            <translation>%2 个运行中的 %1 个：%3 样本/秒</translation>
        </message>
        <message>
            <source>%1 of %2 workers</source>
            <translation>%1 / %2 个工作节点</translation>
        </message>
        <message>
            <source>%1 of %2.</source>
            <translation>%1，形状 %2。</translation>
        </message>
        <message>
            <source>%1 of the wall time is %2</source>
            <translation>总时长的 %1 用于%2</translation>
        </message>
        <message>
            <source>%1 of the wall time is %2; %3</source>
            <translation>总时长的 %1 用于%2；%3</translation>
        </message>
        <message>
            <source>%1 of the wall time is computing; nothing else takes more than %2</source>
            <translation>总时长的 %1 用于计算；其他各项均不超过 %2</translation>
        </message>
        <message>
            <source>%1 or %2</source>
            <translation>%1 或 %2</translation>
        </message>
        <message>
            <source>%1 parameters; %2.</source>
            <translation>%1 个参数；%2。</translation>
        </message>
        <message>
            <source>%1 parameters; a step takes %2 samples of %3.</source>
            <translation>%1 个参数；每一步取 %2 个 %3 样本。</translation>
        </message>
        <message>
            <source>%1 per round of one worker</source>
            <translation>每个工作节点每轮 %1</translation>
        </message>
        <message>
            <source>%1 pushes no dense vectors</source>
            <translation>%1 不推送稠密向量</translation>
        </message>
        <message>
            <source>%1 rounds</source>
            <translation>%1 轮</translation>
        </message>
        <message>
            <source>%1 runs</source>
            <translation>%1 个运行</translation>
        </message>
        <message>
            <source>%1 runs took %2.</source>
            <translation>%1 个运行用时 %2。</translation>
        </message>
        <message>
            <source>%1 runs took %2; %3.</source>
            <translation>%1 个运行用时 %2；%3。</translation>
        </message>
        <message>
            <source>%1 runs were active there</source>
            <translation>有 %1 个运行在进行</translation>
        </message>
        <message>
            <source>%1 runs. Drag along an axis, or Tab to it and press Up, to choose a part</source>
            <translation>%1 个运行。沿坐标轴拖动，或用 Tab 选中后按向上键，以选择区间</translation>
        </message>
        <message>
            <source>%1 samples</source>
            <translation>%1 个样本</translation>
        </message>
        <message>
            <source>%1 samples to %2</source>
            <translation>%1 个样本用于%2</translation>
        </message>
        <message>
            <source>%1 samples to %2, %3 of each class</source>
            <translation>%1 个样本用于%2，每类 %3 个</translation>
        </message>
        <message>
            <source>%1 samples/s: the speed of its fastest run</source>
            <translation>%1 样本/秒：其中最快运行的速度</translation>
        </message>
        <message>
            <source>%1 seeds</source>
            <translation>%1 个种子</translation>
        </message>
        <message>
            <source>%1 sends what its values say, so only a run shows how much that is</source>
            <translation>%1 的发送量取决于数值，只有实际运行才知道是多少</translation>
        </message>
        <message>
            <source>%1 sent %2 %3 messages of %4 bytes, and %5 of %6 bytes came</source>
            <translation>%1 向 %2 发送了 %3 条消息，共 %4 字节，而收到 %5 条，共 %6 字节</translation>
        </message>
        <message>
            <source>%1 set</source>
            <translation>已设置 %1 项</translation>
        </message>
        <message>
            <source>%1 stale</source>
            <translation>失联 %1</translation>
        </message>
        <message>
            <source>%1 stopped</source>
            <translation>停止 %1</translation>
        </message>
        <message>
            <source>%1 stopped by a person</source>
            <translation>人为停止 %1</translation>
        </message>
        <message>
            <source>%1 stopped early</source>
            <translation>提前停止 %1</translation>
        </message>
        <message>
            <source>%1 takes the steps of its paper</source>
            <translation>%1 按其论文的方式更新参数</translation>
        </message>
        <message>
            <source>%1 to %2</source>
            <translation>%1 至 %2</translation>
        </message>
        <message>
            <source>%1 to %2 %3 left</source>
            <translation>剩余 %1 至 %2 %3</translation>
        </message>
        <message>
            <source>%1 to %2 s of %3 s</source>
            <translation>%1 至 %2 s，共 %3 s</translation>
        </message>
        <message>
            <source>%1 to %2, %3 alike</source>
            <translation>%1 至 %2，%3 个相同</translation>
        </message>
        <message>
            <source>%1 to %2, drawn by seed %3</source>
            <translation>%1（%2），按种子 %3 抽取</translation>
        </message>
        <message>
            <source>%1 to below %2</source>
            <translation>%1 至小于 %2</translation>
        </message>
        <message>
            <source>%1 to train, %2 to test; %3</source>
            <translation>训练 %1，测试 %2；%3</translation>
        </message>
        <message>
            <source>%1 under way</source>
            <translation>进行中 %1</translation>
        </message>
        <message>
            <source>%1 usable of %2</source>
            <translation>%2 个中 %1 个可用</translation>
        </message>
        <message>
            <source>%1 waited %2 at most, for %3</source>
            <translation>%1 等待 %3，最多 %2</translation>
        </message>
        <message>
            <source>%1 waited %2 for %3</source>
            <translation>%1 等待 %3 %2</translation>
        </message>
        <message>
            <source>%1 waited %2 for %3: %4</source>
            <translation>%1 等待 %3 %2：%4</translation>
        </message>
        <message>
            <source>%1 waiting</source>
            <translation>%1 个等待中</translation>
        </message>
        <message>
            <source>%1 waiting for its batches</source>
            <translation>%1 等待取批</translation>
        </message>
        <message>
            <source>%1 waits %2</source>
            <translation>%1 等待 %2</translation>
        </message>
        <message>
            <source>%1 was not told: %2</source>
            <translation>未能通知 %1：%2</translation>
        </message>
        <message>
            <source>%1 without an estimate</source>
            <translation>%1 个没有估计</translation>
        </message>
        <message>
            <source>%1 without this window. Open Paceline again, or type paceline queue in a terminal, to see or stop them.</source>
            <translation>没有本窗口时：%1。再次打开 Paceline，或在终端输入 paceline queue，可查看或停止它们。</translation>
        </message>
        <message>
            <source>%1 workers</source>
            <translation>%1 个工作节点</translation>
        </message>
        <message>
            <source>%1 ± std</source>
            <translation>%1 ± 标准差</translation>
        </message>
        <message>
            <source>%1 ± std of up to %2 seeds</source>
            <translation>%1 ± 标准差（最多 %2 个种子）</translation>
        </message>
        <message>
            <source>%1's evaluation</source>
            <translation>%1 的评估</translation>
        </message>
        <message>
            <source>%1's gradients, %2 updates old</source>
            <translation>%1 的梯度陈旧 %2 次更新</translation>
        </message>
        <message>
            <source>%1's link</source>
            <translation>%1 的链路</translation>
        </message>
        <message>
            <source>%1, %2</source>
            <translation>%1，%2</translation>
        </message>
        <message>
            <source>%1, %2</source>
            <comment>limits, default</comment>
            <translation>%1，%2</translation>
        </message>
        <message>
            <source>%1, %2</source>
            <comment>workers, edges</comment>
            <translation>%1，%2</translation>
        </message>
        <message>
            <source>%1, %2 do not decode</source>
            <translation>%1，%2 张无法解码</translation>
        </message>
        <message>
            <source>%1, %2 in %3</source>
            <translation>%1，%2 个，位于 %3</translation>
        </message>
        <message>
            <source>%1, %2 not reached</source>
            <translation>%1，未达到 %2</translation>
        </message>
        <message>
            <source>%1, %2 one after the other</source>
            <comment>rates, a time</comment>
            <translation>%1，依次进行%2</translation>
        </message>
        <message>
            <source>%1, %2 samples, %3 of %4 classes each, JS distance %5</source>
            <translation>%1，%2 个样本，各有 %4 类中的 %3 类，JS 距离 %5</translation>
        </message>
        <message>
            <source>%1, %2, checked: %3</source>
            <translation>%1，%2，已校验：%3</translation>
        </message>
        <message>
            <source>%1, all decode</source>
            <translation>%1，全部可解码</translation>
        </message>
        <message>
            <source>%1, as last measured</source>
            <translation>%1，为最近一次测量结果</translation>
        </message>
        <message>
            <source>%1, at %2, %3 long</source>
            <translation>%1，始于 %2，持续 %3</translation>
        </message>
        <message>
            <source>%1, before</source>
            <translation>%1，早先</translation>
        </message>
        <message>
            <source>%1, changed</source>
            <translation>%1，已更改</translation>
        </message>
        <message>
            <source>%1, class %2: %3 of its %4 samples</source>
            <translation>%1，类别 %2：其 %4 个样本中的 %3 个</translation>
        </message>
        <message>
            <source>%1, device %2. Drag to another host; Alt+Left and Alt+Right move it, the menu key offers hosts and devices.</source>
            <translation>%1，设备 %2。可拖到其他主机；Alt+Left 和 Alt+Right 移动它，菜单键列出主机与设备。</translation>
        </message>
        <message>
            <source>%1, its log %2</source>
            <translation>%1，其日志 %2</translation>
        </message>
        <message>
            <source>%1, made %2</source>
            <translation>%1，制作于 %2</translation>
        </message>
        <message>
            <source>%1, published</source>
            <translation>%1，发表值</translation>
        </message>
        <message>
            <source>%1, round %2</source>
            <translation>%1，第 %2 轮</translation>
        </message>
        <message>
            <source>%1, seed %2</source>
            <translation>%1，种子 %2</translation>
        </message>
        <message>
            <source>%1, shown</source>
            <translation>%1，正在显示</translation>
        </message>
        <message>
            <source>%1, suite</source>
            <translation>%1，实验组</translation>
        </message>
        <message>
            <source>%1, suite of %2, %3</source>
            <translation>%1，实验组（%2），%3</translation>
        </message>
        <message>
            <source>%1.</source>
            <comment>a sentence</comment>
            <translation>%1。</translation>
        </message>
        <message>
            <source>%1. %2.</source>
            <comment>help of a field, its limits</comment>
            <translation>%1。%2。</translation>
        </message>
        <message>
            <source>%1. Until this is over this window only reads.</source>
            <translation>%1。在此期间本窗口只读。</translation>
        </message>
        <message>
            <source>%1: %2 % busy for %3</source>
            <translation>%1：%3 内 %2 % 忙碌</translation>
        </message>
        <message>
            <source>%1: %2 % busy for %3, with all that ran there</source>
            <translation>%1：%3 内 %2 % 忙碌，含其上运行的一切</translation>
        </message>
        <message>
            <source>%1: %2 and %3 do not differ</source>
            <translation>%1：%2 与 %3 无差异</translation>
        </message>
        <message>
            <source>%1: %2 is ahead of %3 by %4 (95 % interval %5 to %6, Hedges' g %7, %8 and %9 runs)</source>
            <translation>%1：%2 领先 %3 %4（95 % 区间 %5 至 %6，Hedges' g %7，分别 %8 个和 %9 个运行）</translation>
        </message>
        <message>
            <source>%1: %2 is ahead of %3 by %4, which is within the spread (95 % interval %5 to %6): %7</source>
            <translation>%1：%2 领先 %3 %4，仍在离散范围内（95 % 区间 %5 至 %6）：%7</translation>
        </message>
        <message>
            <source>%1: %2 is ahead of %3 by %4, without any spread</source>
            <translation>%1：%2 领先 %3 %4，没有离散</translation>
        </message>
        <message>
            <source>%1: %2 is ahead of %3 by %4; with one run of %5 no spread is known: 2 more seeds of each are needed</source>
            <translation>%1：%2 领先 %3 %4；%5 只有一个运行，离散未知：各需再有 2 个种子</translation>
        </message>
        <message>
            <source>%1: %2 of %3 points are not finite: drawn as gaps</source>
            <translation>%1：%3 个点中有 %2 个非有限值：绘为间断</translation>
        </message>
        <message>
            <source>%1: %2 of %3 points have no place on a log axis</source>
            <translation>%1：%3 个点中有 %2 个无法在对数轴上表示</translation>
        </message>
        <message>
            <source>%1: %2 points are not finite: drawn as gaps</source>
            <translation>%1：%2 个点为非有限值：绘为间断</translation>
        </message>
        <message>
            <source>%1: %2 s to %3 is beyond what is drawn</source>
            <translation>%1：%2 s 达到 %3，超出绘图范围</translation>
        </message>
        <message>
            <source>%1: %2 to %3, at the end %4</source>
            <translation>%1：%2 至 %3，末尾 %4</translation>
        </message>
        <message>
            <source>%1: %2 was unreachable at times</source>
            <translation>%1：%2 有时不可达</translation>
        </message>
        <message>
            <source>%1: %2, %3 to %4</source>
            <comment>axis: its title, its ends</comment>
            <translation>%1：%2，%3 至 %4</translation>
        </message>
        <message>
            <source>%1: %2.</source>
            <comment>runs: their states</comment>
            <translation>%1：%2。</translation>
        </message>
        <message>
            <source>%1: %2. What that worker recorded before it and next, oldest first; seconds are those of its own clock.</source>
            <translation>%1：%2。该工作节点在其前后的记录，最早的在前；秒数以其自身时钟计。</translation>
        </message>
        <message numerus="yes">
            <source>%1: %n part(s)</source>
            <translation>
                <numerusform>%1：%n 段</numerusform>
            </translation>
        </message>
        <message>
            <source>%1: 1, 2, 4; 1..8 step 2; 0.001..1 log 4 (Ctrl+L)</source>
            <translation>%1：1, 2, 4；1..8 step 2；0.001..1 log 4（Ctrl+L）</translation>
        </message>
        <message>
            <source>%1: a worker has %2 class; mean Jensen-Shannon distance of its classes from everyone's %3 (0: the same, 1: none in common)</source>
            <translation>%1：每个工作节点有 %2 个类别；其类别分布与总体的平均 Jensen-Shannon 距离为 %3（0：相同，1：完全不同）</translation>
        </message>
        <message>
            <source>%1: a worker has %2 classes; mean Jensen-Shannon distance of its classes from everyone's %3 (0: the same, 1: none in common)</source>
            <translation>%1：每个工作节点有 %2 个类别；其类别分布与总体的平均 Jensen-Shannon 距离为 %3（0：相同，1：完全不同）</translation>
        </message>
        <message>
            <source>%1: about %2 times faster (simulated)</source>
            <translation>%1：约快 %2 倍（模拟）</translation>
        </message>
        <message>
            <source>%1: about %2 times faster (simulated, %3 to %4)</source>
            <translation>%1：约快 %2 倍（模拟，%3 至 %4）</translation>
        </message>
        <message>
            <source>%1: all %2 points instead of every %3th, too few for the script's decimation</source>
            <translation>%1：绘出全部 %2 个点而非每 %3 个取一，点数不足以按脚本抽取</translation>
        </message>
        <message>
            <source>%1: cannot be opened: it is no UTF-8 text</source>
            <translation>%1：无法打开：不是 UTF-8 文本</translation>
        </message>
        <message>
            <source>%1: cannot be read: %2</source>
            <translation>%1：无法读取：%2</translation>
        </message>
        <message>
            <source>%1: every round is up to date</source>
            <translation>%1：每轮均无陈旧</translation>
        </message>
        <message>
            <source>%1: every worker has the whole set</source>
            <translation>%1：每个工作节点都有完整数据集</translation>
        </message>
        <message>
            <source>%1: in round %2 the loss is infinite: training has diverged</source>
            <translation>%1：第 %2 轮的损失为无穷大：训练已发散</translation>
        </message>
        <message>
            <source>%1: in round %2 the loss is NaN: training has diverged</source>
            <translation>%1：第 %2 轮的损失为 NaN：训练已发散</translation>
        </message>
        <message>
            <source>%1: its %2 share no range of x, so they have no mean</source>
            <translation>%1：其 %2 在 x 上没有公共范围，因此没有均值</translation>
        </message>
        <message>
            <source>%1: left out</source>
            <translation>%1：排除</translation>
        </message>
        <message>
            <source>%1: left out, %2</source>
            <translation>%1：略去，%2</translation>
        </message>
        <message>
            <source>%1: mean and sample std of %2 (%3)</source>
            <translation>%1：%2的均值与样本标准差（%3）</translation>
        </message>
        <message>
            <source>%1: mend the file, then choose it again. Nothing was added.</source>
            <translation>%1：请修正文件后重新选择。未添加任何内容。</translation>
        </message>
        <message>
            <source>%1: no bar, its value is not finite</source>
            <translation>%1：无条形，其值非有限</translation>
        </message>
        <message>
            <source>%1: no evaluations</source>
            <translation>%1：没有评估</translation>
        </message>
        <message>
            <source>%1: no faster (simulated: %2)</source>
            <translation>%1：不会更快（模拟：%2）</translation>
        </message>
        <message>
            <source>%1: no faster (simulated: %2, %3 to %4)</source>
            <translation>%1：不会更快（模拟：%2，%3 至 %4）</translation>
        </message>
        <message>
            <source>%1: no points</source>
            <translation>%1：没有点</translation>
        </message>
        <message>
            <source>%1: no run of %2 with the same configuration</source>
            <translation>%1：没有相同配置的 %2 运行</translation>
        </message>
        <message>
            <source>%1: not reached</source>
            <translation>%1：未达到</translation>
        </message>
        <message>
            <source>%1: not reached by %2 of %3</source>
            <translation>%1：%3 中有 %2 个未达到</translation>
        </message>
        <message>
            <source>%1: nothing recorded here</source>
            <translation>%1：此处无记录</translation>
        </message>
        <message>
            <source>%1: rounds of %2 together</source>
            <translation>%1：%2 的轮次合并</translation>
        </message>
        <message>
            <source>%1: runs</source>
            <translation>%1：运行</translation>
        </message>
        <message>
            <source>%1: samples/s over its own with %2 (%3)</source>
            <translation>%1：样本/秒与其自身在 %2 时之比（%3）</translation>
        </message>
        <message>
            <source>%1: seeds interpolated to common points; the mean ends where the shortest ends</source>
            <translation>%1：各种子插值到公共点；均值止于最短者</translation>
        </message>
        <message>
            <source>%1: simulating what that gains…</source>
            <translation>%1：正在模拟可获得的收益…</translation>
        </message>
        <message>
            <source>%1: the best accuracy of its runs</source>
            <translation>%1：其各次运行中的最高准确率</translation>
        </message>
        <message>
            <source>%1: the times of its runs added up</source>
            <translation>%1：其各次运行用时之和</translation>
        </message>
        <message>
            <source>%1: values that vary</source>
            <translation>%1：取多个值</translation>
        </message>
        <message>
            <source>%1; %2 is running and has recorded none of it yet</source>
            <translation>%1；%2 正在运行，尚无此类记录</translation>
        </message>
        <message>
            <source>%1; %2 of %3 runs within</source>
            <translation>%1；区间内 %2 / %3 个运行</translation>
        </message>
        <message numerus="yes">
            <source>%n algorithm(s)</source>
            <translation>
                <numerusform>%n 种算法</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n CPU(s)</source>
            <translation>
                <numerusform>%n 个 CPU</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n data set(s)</source>
            <translation>
                <numerusform>%n 个数据集</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n edge(s)</source>
            <translation>
                <numerusform>%n 条边</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n error(s)</source>
            <translation>
                <numerusform>%n 处错误</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n error(s) to mend first: %1</source>
            <translation>
                <numerusform>须先修正 %n 处错误：%1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n error(s), shown beside the fields</source>
            <translation>
                <numerusform>%n 处错误，显示在相应字段旁</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n figure(s) do not apply</source>
            <translation>
                <numerusform>%n 幅图不适用</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n file(s)</source>
            <translation>
                <numerusform>%n 个文件</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n GPU(s)</source>
            <translation>
                <numerusform>%n 个 GPU</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n host(s)</source>
            <translation>
                <numerusform>%n 台主机</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n host(s) will be added.</source>
            <translation>
                <numerusform>将添加 %n 台主机。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n lane(s): %1</source>
            <translation>
                <numerusform>%n 条泳道：%1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n model(s)</source>
            <translation>
                <numerusform>%n 个模型</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n node(s)</source>
            <translation>
                <numerusform>%n 个节点</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n of the same kind were not opened: %1.</source>
            <translation>
                <numerusform>另有 %n 个同类文件未打开：%1。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n of the same kind were not shown: %1.</source>
            <translation>
                <numerusform>另有 %n 个同类文件未显示：%1。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n place(s) where they differ.</source>
            <translation>
                <numerusform>有 %n 处不同。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n problem(s)</source>
            <translation>
                <numerusform>%n 个问题</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s)</source>
            <translation>
                <numerusform>%n 个运行</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) in progress go on</source>
            <translation>
                <numerusform>进行中的 %n 个运行会继续</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) in the trash and everything recorded of them, %1, will be gone with their checkpoints. This cannot be undone.</source>
            <translation>
                <numerusform>回收站中的 %n 个运行及其所有记录（%1）将与检查点一起消失。此操作无法撤销。</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) selected</source>
            <translation>
                <numerusform>已选 %n 个运行</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) stay held</source>
            <translation>
                <numerusform>%n 个运行保持暂停</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) that wait start in turn</source>
            <translation>
                <numerusform>等待中的 %n 个运行会依次开始</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n sample(s)</source>
            <translation>
                <numerusform>%n 个样本</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n seed(s)</source>
            <translation>
                <numerusform>%n 个种子</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n value(s)</source>
            <translation>
                <numerusform>%n 个值</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n warning(s)</source>
            <translation>
                <numerusform>%n 条警告</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n worker(s)</source>
            <translation>
                <numerusform>%n 个工作节点</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n worker(s); no edges: %1</source>
            <translation>
                <numerusform>%n 个工作节点；没有边：%1</numerusform>
            </translation>
        </message>
        <message>
            <source>&amp;Add host</source>
            <translation>添加主机(&amp;A)</translation>
        </message>
        <message>
            <source>&amp;Check a folder…</source>
            <translation>检查文件夹(&amp;C)…</translation>
        </message>
        <message>
            <source>&amp;Clusters</source>
            <translation>集群(&amp;C)</translation>
        </message>
        <message>
            <source>&amp;Columns</source>
            <translation>列(&amp;C)</translation>
        </message>
        <message>
            <source>&amp;Dark theme</source>
            <translation>深色主题(&amp;D)</translation>
        </message>
        <message>
            <source>&amp;Data</source>
            <translation>数据(&amp;D)</translation>
        </message>
        <message>
            <source>&amp;Delete a view</source>
            <translation>删除视图(&amp;D)</translation>
        </message>
        <message>
            <source>&amp;Differences of the runs</source>
            <translation>运行之间的差异(&amp;D)</translation>
        </message>
        <message>
            <source>&amp;Do what the page is for</source>
            <translation>执行本页主要操作(&amp;D)</translation>
        </message>
        <message>
            <source>&amp;Edit</source>
            <translation>编辑(&amp;E)</translation>
        </message>
        <message>
            <source>&amp;Experiments</source>
            <translation>实验(&amp;E)</translation>
        </message>
        <message>
            <source>&amp;Export</source>
            <translation>导出(&amp;E)</translation>
        </message>
        <message>
            <source>&amp;Export figure</source>
            <translation>导出图(&amp;E)</translation>
        </message>
        <message>
            <source>&amp;Export report</source>
            <translation>导出报告(&amp;E)</translation>
        </message>
        <message>
            <source>&amp;Export runs…</source>
            <translation>导出运行(&amp;E)…</translation>
        </message>
        <message>
            <source>&amp;Figure</source>
            <translation>图(&amp;F)</translation>
        </message>
        <message>
            <source>&amp;File</source>
            <translation>文件(&amp;F)</translation>
        </message>
        <message>
            <source>&amp;Find</source>
            <translation>查找(&amp;F)</translation>
        </message>
        <message>
            <source>&amp;Followed files</source>
            <translation>跟踪的文件(&amp;F)</translation>
        </message>
        <message>
            <source>&amp;Full screen</source>
            <translation>全屏(&amp;F)</translation>
        </message>
        <message>
            <source>&amp;Go</source>
            <translation>前往(&amp;G)</translation>
        </message>
        <message>
            <source>&amp;Go to or do…</source>
            <translation>前往或执行(&amp;G)…</translation>
        </message>
        <message>
            <source>&amp;Help</source>
            <translation>帮助(&amp;H)</translation>
        </message>
        <message>
            <source>&amp;Import a file…</source>
            <translation>导入文件(&amp;I)…</translation>
        </message>
        <message>
            <source>&amp;Keyboard</source>
            <translation>键盘(&amp;K)</translation>
        </message>
        <message>
            <source>&amp;Lanes of a run</source>
            <translation>运行的泳道(&amp;L)</translation>
        </message>
        <message>
            <source>&amp;Light theme</source>
            <translation>浅色主题(&amp;L)</translation>
        </message>
        <message>
            <source>&amp;Manual</source>
            <translation>手册(&amp;M)</translation>
        </message>
        <message>
            <source>&amp;Narrow rail</source>
            <translation>收窄导航栏(&amp;N)</translation>
        </message>
        <message>
            <source>&amp;New experiment</source>
            <translation>新建实验(&amp;N)</translation>
        </message>
        <message>
            <source>&amp;Number of a run</source>
            <translation>运行的数值(&amp;N)</translation>
        </message>
        <message>
            <source>&amp;Quit</source>
            <translation>退出(&amp;Q)</translation>
        </message>
        <message>
            <source>&amp;Redo</source>
            <translation>重做(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Redo %1</source>
            <translation>重做(&amp;R)：%1</translation>
        </message>
        <message>
            <source>&amp;Report of the runs that are shown</source>
            <translation>所示运行的报告(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Results table</source>
            <translation>结果表(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Run</source>
            <translation>运行(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Run experiment</source>
            <translation>运行实验(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Runs</source>
            <translation>运行(&amp;R)</translation>
        </message>
        <message>
            <source>&amp;Save the present view</source>
            <translation>保存当前视图(&amp;S)</translation>
        </message>
        <message>
            <source>&amp;Settings</source>
            <translation>设置(&amp;S)</translation>
        </message>
        <message>
            <source>&amp;Stop the run that is shown</source>
            <translation>停止所显示的运行(&amp;S)</translation>
        </message>
        <message>
            <source>&amp;Undo</source>
            <translation>撤销(&amp;U)</translation>
        </message>
        <message>
            <source>&amp;Undo %1</source>
            <translation>撤销(&amp;U)：%1</translation>
        </message>
        <message>
            <source>&amp;View</source>
            <translation>视图(&amp;V)</translation>
        </message>
        <message>
            <source>(fetch + forward and backward + local update) / total time of each worker</source>
            <translation>（取数据 + 前向与反向 + 本地更新）/ 每个工作节点的总时间</translation>
        </message>
        <message>
            <source>, </source>
            <comment>between words</comment>
            <translation>、</translation>
        </message>
        <message>
            <source>, %1 left</source>
            <translation>，剩余 %1</translation>
        </message>
        <message>
            <source>, %1 of it is there</source>
            <translation>，其中 %1 已下载</translation>
        </message>
        <message>
            <source>1 run</source>
            <translation>1 个运行</translation>
        </message>
        <message>
            <source>1 run took %1.</source>
            <translation>1 个运行用时 %1。</translation>
        </message>
        <message>
            <source>1 run took %1; %2.</source>
            <translation>1 个运行用时 %1；%2。</translation>
        </message>
        <message>
            <source>; </source>
            <comment>between clauses</comment>
            <translation>；</translation>
        </message>
        <message numerus="yes">
            <source>; %1 to %n neighbour(s)</source>
            <translation>
                <numerusform>；有 %1 至 %n 个邻居</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>; %n neighbour(s) each</source>
            <translation>
                <numerusform>；各有 %n 个邻居</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>; at most %n edge(s) apart</source>
            <translation>
                <numerusform>；相距最多 %n 条边</numerusform>
            </translation>
        </message>
        <message>
            <source>; begun by %1: %2</source>
            <translation>；由 %1 发起：%2</translation>
        </message>
        <message>
            <source>; exchange of %1 under way for %2, %3</source>
            <translation>；%1 的交换已进行 %2，%3</translation>
        </message>
        <message>
            <source>; not connected: no path from %1 to %2</source>
            <translation>；不连通：%1 到 %2 无路径</translation>
        </message>
        <message>
            <source>; spectral gap %1</source>
            <translation>；谱间隙 %1</translation>
        </message>
        <message>
            <source>; spectral gap below %1</source>
            <translation>；谱间隙低于 %1</translation>
        </message>
        <message>
            <source>A computer that is reached by SSH, or a Slurm cluster.</source>
            <translation>可通过 SSH 访问的计算机，或 Slurm 集群。</translation>
        </message>
        <message>
            <source>a copy of "%1"</source>
            <translation>“%1”的副本</translation>
        </message>
        <message>
            <source>A file that holds a data set</source>
            <translation>存放数据集的文件</translation>
        </message>
        <message>
            <source>A file that lists hosts</source>
            <translation>列有主机的文件</translation>
        </message>
        <message>
            <source>A folder for %1</source>
            <translation>存放%1的文件夹</translation>
        </message>
        <message>
            <source>A folder for copies of the store</source>
            <translation>存放存储库副本的文件夹</translation>
        </message>
        <message>
            <source>A folder that holds a data set</source>
            <translation>含有数据集的文件夹</translation>
        </message>
        <message>
            <source>A folder with results of another tool</source>
            <translation>含其他工具结果的文件夹</translation>
        </message>
        <message>
            <source>a line</source>
            <translation>一条曲线</translation>
        </message>
        <message>
            <source>a new experiment</source>
            <translation>新实验</translation>
        </message>
        <message>
            <source>A new run goes on from the newest checkpoint that all nodes hold and has this one's records up to there. It ends by the first of these rules that is met. Its nodes may run elsewhere; what its checkpoints depend on stays.</source>
            <translation>新运行从所有节点共有的最新检查点继续，并带有此运行到该处的记录。它按下列规则中最先满足的一条结束。其节点可以在别处运行；检查点所依赖的内容不变。</translation>
        </message>
        <message>
            <source>A node that evaluates while the workers go on; one at most</source>
            <translation>在工作节点继续训练时进行评估的节点；最多一个</translation>
        </message>
        <message>
            <source>A number, a figure, a table or lanes, where the cursor is (Ctrl+J)</source>
            <translation>在光标处插入数值、图、表或泳道 (Ctrl+J)</translation>
        </message>
        <message>
            <source>A plain list of addresses, an MPI hostfile, ECL's hosts.json, MXNet-G's hosts, ps_pytorch's hosts or an ssh_config.</source>
            <translation>纯地址列表、MPI hostfile、ECL 的 hosts.json、MXNet-G 的 hosts、ps_pytorch 的 hosts 或 ssh_config。</translation>
        </message>
        <message>
            <source>A private key; empty: as ssh finds it</source>
            <translation>私钥；留空：由 ssh 自行查找</translation>
        </message>
        <message>
            <source>A profile of imports</source>
            <translation>导入配置</translation>
        </message>
        <message>
            <source>a published value is of the target %1, not %2</source>
            <translation>有一个发表值的目标是 %1，而非 %2</translation>
        </message>
        <message>
            <source>A report from a file (Ctrl+O)</source>
            <translation>从文件打开报告 (Ctrl+O)</translation>
        </message>
        <message>
            <source>a row sends, a column receives; below it the latency one way</source>
            <translation>行为发送方，列为接收方；下方为单向延迟</translation>
        </message>
        <message>
            <source>A run is looked at after so many rounds or seconds, and after eta, eta^2 ... times as many</source>
            <translation>运行在这么多轮或秒之后接受检查，之后在其 eta、eta^2……倍处再检查</translation>
        </message>
        <message>
            <source>A run is one training: real worker and server processes, measured round by round. Results of other tools can be imported (File menu).</source>
            <translation>一个运行就是一次训练：真实的工作节点与服务器进程，逐轮测量。其他工具的结果可以导入（“文件”菜单）。</translation>
        </message>
        <message>
            <source>a run was active there</source>
            <translation>有一个运行在进行</translation>
        </message>
        <message>
            <source>A search that cannot be read yet</source>
            <translation>尚无法解读的搜索</translation>
        </message>
        <message>
            <source>A table, or results of another tool</source>
            <translation>表格或其他工具的结果</translation>
        </message>
        <message>
            <source>A text with live numbers, tables and figures of the ticked runs, to write on and export (Ctrl+Shift+R)</source>
            <translation>由勾选的运行生成带实时数值、表和图的文本，可继续编写并导出 (Ctrl+Shift+R)</translation>
        </message>
        <message>
            <source>a timeline is of one run</source>
            <translation>时间线只针对一个运行</translation>
        </message>
        <message>
            <source>a web address begins with https:// or http:// and names a host; "%1" does not</source>
            <translation>网址须以 https:// 或 http:// 开头并含主机名；“%1”不是</translation>
        </message>
        <message>
            <source>a worker has %1 class; mean Jensen-Shannon distance of its classes from everyone's %2 (0: the same, 1: none in common)</source>
            <translation>每个工作节点有 %1 个类别；其类别分布与总体的平均 Jensen-Shannon 距离为 %2（0：相同，1：完全不同）</translation>
        </message>
        <message>
            <source>a worker has %1 classes; mean Jensen-Shannon distance of its classes from everyone's %2 (0: the same, 1: none in common)</source>
            <translation>每个工作节点有 %1 个类别；其类别分布与总体的平均 Jensen-Shannon 距离为 %2（0：相同，1：完全不同）</translation>
        </message>
        <message>
            <source>About</source>
            <translation>关于</translation>
        </message>
        <message>
            <source>about %1</source>
            <comment>a time</comment>
            <translation>约 %1</translation>
        </message>
        <message>
            <source>about %1 %2 left</source>
            <translation>约剩 %1 %2</translation>
        </message>
        <message>
            <source>about %1 (%2)</source>
            <translation>约 %1（%2）</translation>
        </message>
        <message>
            <source>about %1 more seeds of each would tell if it stays so</source>
            <translation>若保持如此，各再有约 %1 个种子即可判明</translation>
        </message>
        <message>
            <source>About %1 samples/s: a round takes %2 and moves %3 a worker.</source>
            <translation>约 %1 样本/秒：每轮耗时 %2，每个工作节点传输 %3。</translation>
        </message>
        <message>
            <source>about 1 more seed of each would tell if it stays so</source>
            <translation>若保持如此，各再有约 1 个种子即可判明</translation>
        </message>
        <message>
            <source>above %1</source>
            <translation>大于 %1</translation>
        </message>
        <message>
            <source>above %1 to %2</source>
            <translation>大于 %1 至 %2</translation>
        </message>
        <message>
            <source>above %1 to below %2</source>
            <translation>大于 %1 且小于 %2</translation>
        </message>
        <message>
            <source>Accept an unknown key without asking</source>
            <translation>不询问即接受未知密钥</translation>
        </message>
        <message>
            <source>accepted without asking; a changed one never</source>
            <translation>不询问即接受；已更改的密钥绝不接受</translation>
        </message>
        <message>
            <source>Accuracy</source>
            <translation>准确率</translation>
        </message>
        <message>
            <source>Accuracy over time</source>
            <translation>准确率随时间变化</translation>
        </message>
        <message>
            <source>Active</source>
            <translation>进行中</translation>
        </message>
        <message numerus="yes">
            <source>Add %n host(s)</source>
            <translation>
                <numerusform>添加 %n 台主机</numerusform>
            </translation>
        </message>
        <message>
            <source>add a server</source>
            <translation>增加一个服务器</translation>
        </message>
        <message>
            <source>Add edge</source>
            <translation>添加边</translation>
        </message>
        <message>
            <source>Add evaluator</source>
            <translation>添加评估节点</translation>
        </message>
        <message>
            <source>Add host</source>
            <translation>添加主机</translation>
        </message>
        <message>
            <source>Add hosts</source>
            <translation>添加主机</translation>
        </message>
        <message>
            <source>Add server</source>
            <translation>添加服务器</translation>
        </message>
        <message>
            <source>Add worker</source>
            <translation>添加工作节点</translation>
        </message>
        <message numerus="yes">
            <source>adding %n host(s)</source>
            <translation>
                <numerusform>添加 %n 台主机</numerusform>
            </translation>
        </message>
        <message>
            <source>adding a %1</source>
            <translation>添加%1</translation>
        </message>
        <message>
            <source>adding an edge</source>
            <translation>添加边</translation>
        </message>
        <message>
            <source>adding host %1</source>
            <translation>添加主机 %1</translation>
        </message>
        <message>
            <source>Address</source>
            <translation>地址</translation>
        </message>
        <message>
            <source>AES-GCM, keys of this run</source>
            <translation>AES-GCM，本次运行的密钥</translation>
        </message>
        <message>
            <source>after %1 rounds</source>
            <translation>%1 轮后</translation>
        </message>
        <message>
            <source>after %1 s</source>
            <translation>%1 s 后</translation>
        </message>
        <message>
            <source>after 1 round</source>
            <translation>1 轮后</translation>
        </message>
        <message>
            <source>Age of received vectors</source>
            <translation>所收向量的陈旧程度</translation>
        </message>
        <message>
            <source>Agent</source>
            <translation>代理程序</translation>
        </message>
        <message>
            <source>Aggregation</source>
            <translation>聚合</translation>
        </message>
        <message>
            <source>Aggregations</source>
            <translation>聚合方式</translation>
        </message>
        <message>
            <source>Algorithm</source>
            <translation>算法</translation>
        </message>
        <message>
            <source>algorithm</source>
            <translation>算法</translation>
        </message>
        <message>
            <source>Algorithms</source>
            <translation>算法</translation>
        </message>
        <message>
            <source>alias, or user@host:port</source>
            <translation>别名，或 user@host:port</translation>
        </message>
        <message>
            <source>All</source>
            <translation>全部</translation>
        </message>
        <message>
            <source>All %1 runs: %2 samples/s</source>
            <translation>全部 %1 个运行：%2 样本/秒</translation>
        </message>
        <message>
            <source>All again</source>
            <translation>恢复全部</translation>
        </message>
        <message>
            <source>all but biases and norms</source>
            <translation>除偏置与归一化外的参数</translation>
        </message>
        <message>
            <source>All columns</source>
            <translation>所有列</translation>
        </message>
        <message>
            <source>All done</source>
            <translation>全部完成</translation>
        </message>
        <message>
            <source>All figures</source>
            <translation>所有图</translation>
        </message>
        <message>
            <source>All figures at once; Enter or a click shows one (Esc goes back)</source>
            <translation>同时显示所有图；按 Enter 或单击显示其中一幅（Esc 返回）</translation>
        </message>
        <message>
            <source>all lanes have one clock</source>
            <translation>所有泳道使用同一时钟</translation>
        </message>
        <message>
            <source>all of it</source>
            <translation>全部</translation>
        </message>
        <message>
            <source>All of the axis again</source>
            <translation>恢复整条坐标轴</translation>
        </message>
        <message>
            <source>All right</source>
            <translation>完好</translation>
        </message>
        <message>
            <source>all runs are simulated: times are virtual</source>
            <translation>所有运行均为模拟：时间为虚拟时间</translation>
        </message>
        <message>
            <source>All runs are simulated: times are virtual.</source>
            <translation>所有运行均为模拟：时间为虚拟时间。</translation>
        </message>
        <message>
            <source>All runs together take at most so long; empty: no limit</source>
            <translation>所有运行合计最多用时；留空：不限</translation>
        </message>
        <message>
            <source>All together</source>
            <translation>合为一组</translation>
        </message>
        <message>
            <source>all workers, lately</source>
            <translation>所有工作节点，近期</translation>
        </message>
        <message>
            <source>all workers, mean</source>
            <translation>所有工作节点，平均</translation>
        </message>
        <message>
            <source>Alt+Left  Alt+Right</source>
            <translation>Alt+左  Alt+右</translation>
        </message>
        <message>
            <source>always there, as host local</source>
            <translation>始终可用，即主机 local</translation>
        </message>
        <message>
            <source>An alias of ~/.ssh/config, or an address</source>
            <translation>~/.ssh/config 中的别名，或地址</translation>
        </message>
        <message>
            <source>and %1 more</source>
            <translation>以及另外 %1 个</translation>
        </message>
        <message>
            <source>Another axis</source>
            <translation>切换坐标轴</translation>
        </message>
        <message>
            <source>Another data set is being downloaded</source>
            <translation>正在下载另一个数据集</translation>
        </message>
        <message>
            <source>Another data set is being downloaded.</source>
            <translation>正在下载另一个数据集。</translation>
        </message>
        <message>
            <source>Another lane</source>
            <translation>切换泳道</translation>
        </message>
        <message>
            <source>Another node</source>
            <translation>切换节点</translation>
        </message>
        <message>
            <source>another setting</source>
            <translation>设置不同</translation>
        </message>
        <message>
            <source>Apply to a copy</source>
            <translation>应用到副本</translation>
        </message>
        <message>
            <source>Architecture</source>
            <translation>体系结构</translation>
        </message>
        <message>
            <source>are divided among the others</source>
            <translation>分给其余节点</translation>
        </message>
        <message>
            <source>are left</source>
            <translation>保留不用</translation>
        </message>
        <message>
            <source>Arguments survive</source>
            <translation>参数完整传递</translation>
        </message>
        <message>
            <source>Arrays (*.npz *.npy *.safetensors *.csv);;All files (*)</source>
            <translation>数组 (*.npz *.npy *.safetensors *.csv);;所有文件 (*)</translation>
        </message>
        <message>
            <source>Arrays of your own (.npz, .npy, .safetensors, .csv): shapes, ranges, classes, what is no number</source>
            <translation>您自己的数组（.npz、.npy、.safetensors、.csv）：形状、取值范围、类别、哪些不是数值</translation>
        </message>
        <message>
            <source>Arrow keys</source>
            <translation>方向键</translation>
        </message>
        <message>
            <source>As files, in any format (Ctrl+Shift+E)</source>
            <translation>导出为文件，任意格式（Ctrl+Shift+E）</translation>
        </message>
        <message>
            <source>As it looks</source>
            <translation>自动判断</translation>
        </message>
        <message>
            <source>As many images as its files have</source>
            <translation>图片数由其文件决定</translation>
        </message>
        <message>
            <source>as needed</source>
            <translation>按需</translation>
        </message>
        <message>
            <source>As needed (0): five eighths of the width, or more where the legend or names need it</source>
            <translation>按需（0）：宽度的八分之五，图例或名称需要时更高</translation>
        </message>
        <message>
            <source>As recorded, by phase of a round; busy: fetch, compute and update</source>
            <translation>按记录，依每轮的阶段；忙碌：取数据、计算与更新</translation>
        </message>
        <message>
            <source>As the catalogue calls it</source>
            <translation>目录中的名称</translation>
        </message>
        <message>
            <source>As the kernel's TCP counted</source>
            <translation>按内核 TCP 的计数</translation>
        </message>
        <message>
            <source>As the sender counted</source>
            <translation>按发送方计数</translation>
        </message>
        <message>
            <source>As the system</source>
            <translation>随系统</translation>
        </message>
        <message>
            <source>as ~/.ssh/config says</source>
            <translation>按 ~/.ssh/config</translation>
        </message>
        <message>
            <source>Ask the host for the disk use of Paceline</source>
            <translation>向主机查询 Paceline 的磁盘用量</translation>
        </message>
        <message>
            <source>asked once</source>
            <translation>询问一次</translation>
        </message>
        <message>
            <source>asking paceline-worker</source>
            <translation>正在询问 paceline-worker</translation>
        </message>
        <message>
            <source>Asking paceline-worker what it can do</source>
            <translation>正在询问 paceline-worker 支持的功能</translation>
        </message>
        <message>
            <source>Asking the host</source>
            <translation>正在询问主机</translation>
        </message>
        <message>
            <source>Asking the worker program</source>
            <translation>正在询问工作节点程序</translation>
        </message>
        <message>
            <source>asks the servers</source>
            <translation>向服务器索取</translation>
        </message>
        <message>
            <source>at least %1</source>
            <translation>至少 %1</translation>
        </message>
        <message>
            <source>at least %1 (%2)</source>
            <translation>至少 %1（%2）</translation>
        </message>
        <message>
            <source>at least %1, measured while %2</source>
            <translation>至少 %1，测量时%2</translation>
        </message>
        <message>
            <source>at most %1</source>
            <translation>至多 %1</translation>
        </message>
        <message>
            <source>at most %1 (%2)</source>
            <translation>至多 %1（%2）</translation>
        </message>
        <message>
            <source>At most so many runs</source>
            <translation>最多这么多个运行</translation>
        </message>
        <message>
            <source>Attach</source>
            <translation>接管</translation>
        </message>
        <message>
            <source>auto</source>
            <translation>自动</translation>
        </message>
        <message>
            <source>automatic</source>
            <translation>自动</translation>
        </message>
        <message>
            <source>automatic: its address</source>
            <translation>自动：使用其地址</translation>
        </message>
        <message>
            <source>Axes of the parallel coordinates</source>
            <translation>平行坐标的坐标轴</translation>
        </message>
        <message>
            <source>Axis %1</source>
            <translation>坐标轴 %1</translation>
        </message>
        <message>
            <source>Back (Alt+Left)</source>
            <translation>后退 (Alt+Left)</translation>
        </message>
        <message>
            <source>Back to all runs</source>
            <translation>返回所有运行</translation>
        </message>
        <message>
            <source>Back to all runs (Esc, Alt+Left)</source>
            <translation>返回所有运行（Esc、Alt+Left）</translation>
        </message>
        <message>
            <source>Back to runs</source>
            <translation>返回运行列表</translation>
        </message>
        <message>
            <source>Back up now</source>
            <translation>立即备份</translation>
        </message>
        <message>
            <source>bad</source>
            <translation>不通过</translation>
        </message>
        <message>
            <source>Bandwidth</source>
            <translation>带宽</translation>
        </message>
        <message>
            <source>bandwidth</source>
            <translation>带宽</translation>
        </message>
        <message>
            <source>bandwidth (Mbit/s)</source>
            <translation>带宽 (Mbit/s)</translation>
        </message>
        <message>
            <source>Bandwidth and latency between every pair of hosts, both ways, over the addresses that a run uses.</source>
            <translation>每对主机之间双向的带宽与延迟，经由运行所用的地址测得。</translation>
        </message>
        <message>
            <source>Batch s</source>
            <translation>取批 s</translation>
        </message>
        <message>
            <source>Batch size</source>
            <translation>批大小</translation>
        </message>
        <message>
            <source>bayesian</source>
            <translation>贝叶斯</translation>
        </message>
        <message>
            <source>Bayesian (TPE)</source>
            <translation>贝叶斯（TPE）</translation>
        </message>
        <message>
            <source>Becomes the run's evaluations; percent are divided by 100</source>
            <translation>成为运行的评估；百分数会除以 100</translation>
        </message>
        <message>
            <source>Becomes the run's rounds</source>
            <translation>成为运行的各轮</translation>
        </message>
        <message>
            <source>Before the first NaN</source>
            <translation>首个 NaN 之前</translation>
        </message>
        <message>
            <source>Before the one above (Alt+Up; Alt+Home: before all). Rows can be dragged, too</source>
            <translation>移到上一项之前（Alt+Up；Alt+Home：移到最前）。也可拖动各行</translation>
        </message>
        <message>
            <source>Begun</source>
            <translation>已开始</translation>
        </message>
        <message>
            <source>Behind the one below (Alt+Down; Alt+End: behind all). Rows can be dragged, too</source>
            <translation>移到下一项之后（Alt+Down；Alt+End：移到最后）。也可拖动各行</translation>
        </message>
        <message>
            <source>below %1</source>
            <translation>小于 %1</translation>
        </message>
        <message>
            <source>below the best 1/%1 %2 (%3; %4 was needed)</source>
            <translation>%2低于最好的 1/%1（%3；需要 %4）</translation>
        </message>
        <message>
            <source>below the best half %1 (%2; %3 was needed)</source>
            <translation>%1低于最好的一半（%2；需要 %3）</translation>
        </message>
        <message>
            <source>below the best third %1 (%2; %3 was needed)</source>
            <translation>%1低于最好的三分之一（%2；需要 %3）</translation>
        </message>
        <message>
            <source>best  %1</source>
            <translation>最优  %1</translation>
        </message>
        <message>
            <source>best %1</source>
            <translation>最高 %1</translation>
        </message>
        <message>
            <source>best %1</source>
            <comment>of several numbers</comment>
            <translation>最高 %1</translation>
        </message>
        <message>
            <source>best 1 of</source>
            <translation>取最优，每</translation>
        </message>
        <message>
            <source>Best accuracy</source>
            <translation>最高准确率</translation>
        </message>
        <message>
            <source>best accuracy</source>
            <translation>最高准确率</translation>
        </message>
        <message>
            <source>Best accuracy (%)</source>
            <translation>最高准确率 (%)</translation>
        </message>
        <message>
            <source>Best is</source>
            <translation>最优标准</translation>
        </message>
        <message>
            <source>Beta 1</source>
            <translation>Beta 1</translation>
        </message>
        <message>
            <source>Beta 2</source>
            <translation>Beta 2</translation>
        </message>
        <message>
            <source>Between the columns</source>
            <translation>列与列之间</translation>
        </message>
        <message>
            <source>Board</source>
            <translation>看板</translation>
        </message>
        <message>
            <source>Board of nodes</source>
            <translation>节点看板</translation>
        </message>
        <message>
            <source>bound how far workers may be apart (SSP)</source>
            <translation>限制工作节点之间的差距（SSP）</translation>
        </message>
        <message>
            <source>broken</source>
            <translation>已损坏</translation>
        </message>
        <message>
            <source>Built in</source>
            <translation>内置</translation>
        </message>
        <message>
            <source>built in</source>
            <translation>内置</translation>
        </message>
        <message>
            <source>bundle</source>
            <translation>数据包</translation>
        </message>
        <message>
            <source>Bundle: everything, to be imported again</source>
            <translation>数据包：包含一切，可再次导入</translation>
        </message>
        <message>
            <source>by emulated step times</source>
            <translation>按模拟的单步时间</translation>
        </message>
        <message>
            <source>By its method</source>
            <translation>按方法</translation>
        </message>
        <message>
            <source>By its name</source>
            <translation>按列名</translation>
        </message>
        <message>
            <source>by like runs in the store</source>
            <translation>按存储库中的类似运行</translation>
        </message>
        <message>
            <source>By measured speed</source>
            <translation>按实测速度</translation>
        </message>
        <message>
            <source>By memory</source>
            <translation>经内存</translation>
        </message>
        <message>
            <source>By our programs and the spools of runs; read while its details are open</source>
            <translation>我们的程序与运行暂存记录所占；在其详情打开时读取</translation>
        </message>
        <message>
            <source>by rounds</source>
            <translation>按轮数</translation>
        </message>
        <message>
            <source>by seconds</source>
            <translation>按秒数</translation>
        </message>
        <message>
            <source>By the kernel, for what was lost</source>
            <translation>由内核重发丢失的部分</translation>
        </message>
        <message>
            <source>by the stop rules</source>
            <translation>按停止规则</translation>
        </message>
        <message>
            <source>By themselves</source>
            <translation>自动备份</translation>
        </message>
        <message>
            <source>Bytes</source>
            <translation>字节</translation>
        </message>
        <message>
            <source>bytes</source>
            <translation>字节</translation>
        </message>
        <message>
            <source>Bytes a round</source>
            <translation>每轮字节</translation>
        </message>
        <message>
            <source>Bytes of a round</source>
            <translation>一轮的字节</translation>
        </message>
        <message>
            <source>Bytes of parameters, gradients and indices</source>
            <translation>参数、梯度和索引的字节</translation>
        </message>
        <message>
            <source>bytes that the worker at the arrow's head received from the other, as measured, in 10^6</source>
            <translation>箭头所指工作节点从另一方收到的字节数，实测，单位 10^6</translation>
        </message>
        <message>
            <source>bytes that the workers sent and received, as measured, in 10^6, / wall time</source>
            <translation>工作节点收发的字节数，实测，单位 10^6，/ 总时长</translation>
        </message>
        <message>
            <source>C library</source>
            <translation>C 库</translation>
        </message>
        <message>
            <source>C&amp;ompare</source>
            <translation>对比(&amp;O)</translation>
        </message>
        <message>
            <source>C++ library</source>
            <translation>C++ 库</translation>
        </message>
        <message>
            <source>Cancel</source>
            <translation>取消</translation>
        </message>
        <message>
            <source>Causes of the wall time</source>
            <translation>耗时原因</translation>
        </message>
        <message>
            <source>Change the search words or the filter above.</source>
            <translation>请更改上方的搜索词或筛选条件。</translation>
        </message>
        <message>
            <source>Changed: it was %1</source>
            <translation>已修改：原为 %1</translation>
        </message>
        <message>
            <source>Changed: not set before</source>
            <translation>已修改：此前未设置</translation>
        </message>
        <message>
            <source>changing %1 from %2 to %3</source>
            <translation>将 %1 从 %2 改为 %3</translation>
        </message>
        <message numerus="yes">
            <source>changing %n place(s)</source>
            <translation>
                <numerusform>修改 %n 处</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>changing %n place(s) in %1</source>
            <translation>
                <numerusform>修改 %1 中的 %n 处</numerusform>
            </translation>
        </message>
        <message>
            <source>changing host %1</source>
            <translation>修改主机 %1</translation>
        </message>
        <message>
            <source>changing the edge between %1 and %2</source>
            <translation>修改 %1 与 %2 之间的边</translation>
        </message>
        <message>
            <source>changing the groups</source>
            <translation>修改分组</translation>
        </message>
        <message>
            <source>changing the notes of %1</source>
            <translation>修改 %1 的备注</translation>
        </message>
        <message>
            <source>changing the seeds from %1 to %2</source>
            <translation>将种子从 %1 改为 %2</translation>
        </message>
        <message>
            <source>changing the tags of %1</source>
            <translation>修改 %1 的标签</translation>
        </message>
        <message>
            <source>changing what is searched</source>
            <translation>修改搜索的内容</translation>
        </message>
        <message>
            <source>changing what varies</source>
            <translation>修改取多值的内容</translation>
        </message>
        <message>
            <source>changing which runs are left out</source>
            <translation>修改被排除的运行</translation>
        </message>
        <message>
            <source>Channels, height and width of a sample</source>
            <translation>样本的通道数、高与宽</translation>
        </message>
        <message>
            <source>Check</source>
            <translation>检查</translation>
        </message>
        <message>
            <source>Check "%1" again</source>
            <translation>重新检查“%1”</translation>
        </message>
        <message>
            <source>Check a file…</source>
            <translation>检查文件…</translation>
        </message>
        <message>
            <source>Check a folder…</source>
            <translation>检查文件夹…</translation>
        </message>
        <message>
            <source>Check again</source>
            <translation>重新检查</translation>
        </message>
        <message>
            <source>Check all</source>
            <translation>全部检查</translation>
        </message>
        <message>
            <source>Checked</source>
            <translation>检查时间</translation>
        </message>
        <message>
            <source>Checking</source>
            <translation>检查中</translation>
        </message>
        <message>
            <source>checking</source>
            <translation>检查中</translation>
        </message>
        <message>
            <source>checking %1</source>
            <translation>正在检查 %1 台</translation>
        </message>
        <message>
            <source>Checkpoint every</source>
            <translation>检查点间隔</translation>
        </message>
        <message>
            <source>Checkpoints here</source>
            <translation>本机检查点</translation>
        </message>
        <message>
            <source>Choose a file for %1</source>
            <translation>为 %1 选择文件</translation>
        </message>
        <message>
            <source>Choose a file or a folder</source>
            <translation>请选择文件或文件夹</translation>
        </message>
        <message>
            <source>Choose a file…</source>
            <translation>选择文件…</translation>
        </message>
        <message>
            <source>Choose a folder</source>
            <translation>选择文件夹</translation>
        </message>
        <message>
            <source>Choose a folder…</source>
            <translation>选择文件夹…</translation>
        </message>
        <message>
            <source>Choose a part of the axis, or move it</source>
            <translation>选择坐标轴上的区间，或移动它</translation>
        </message>
        <message>
            <source>Choose an edge</source>
            <translation>选择一条边</translation>
        </message>
        <message>
            <source>Choose file…</source>
            <translation>选择文件…</translation>
        </message>
        <message>
            <source>Choose the column of the step; no name says which it is</source>
            <translation>请选择步数所在的列；从列名无法得知</translation>
        </message>
        <message>
            <source>Choose the folder for the copies</source>
            <translation>请选择存放副本的文件夹</translation>
        </message>
        <message>
            <source>Chooses points by what earlier ones gave, within a budget, instead of running all combinations. In a field: search 0.001..1 log</source>
            <translation>在预算内根据先前结果选点，而不运行所有组合。字段中写：search 0.001..1 log</translation>
        </message>
        <message>
            <source>Choose…</source>
            <translation>选择…</translation>
        </message>
        <message>
            <source>class</source>
            <translation>类别</translation>
        </message>
        <message>
            <source>class %1</source>
            <translation>类别 %1</translation>
        </message>
        <message>
            <source>class sizes</source>
            <translation>类别大小</translation>
        </message>
        <message>
            <source>Classes</source>
            <translation>类别数</translation>
        </message>
        <message>
            <source>classes %1 to %2</source>
            <translation>类别 %1 至 %2</translation>
        </message>
        <message>
            <source>Clean spools</source>
            <translation>清理暂存记录</translation>
        </message>
        <message>
            <source>Click one of these gaps: an arrow shows for whom the node waited, and a sentence says why.</source>
            <translation>单击其中一处空隙：箭头指出该节点在等谁，并用一句话说明原因。</translation>
        </message>
        <message>
            <source>Clip to norm</source>
            <translation>裁剪至范数</translation>
        </message>
        <message>
            <source>Clock</source>
            <translation>时钟</translation>
        </message>
        <message>
            <source>Close</source>
            <translation>关闭</translation>
        </message>
        <message>
            <source>Cluster</source>
            <translation>集群</translation>
        </message>
        <message>
            <source>Clusters</source>
            <translation>集群</translation>
        </message>
        <message>
            <source>Colours, dashes, markers and hatches; published: as in ESync's figures</source>
            <translation>颜色、线型、标记与填充；发表版：同 ESync 的图</translation>
        </message>
        <message>
            <source>Comma</source>
            <translation>逗号</translation>
        </message>
        <message>
            <source>Command</source>
            <translation>命令</translation>
        </message>
        <message>
            <source>Common rounds</source>
            <translation>共同轮数</translation>
        </message>
        <message>
            <source>Common samples</source>
            <translation>共同样本数</translation>
        </message>
        <message>
            <source>Common time</source>
            <translation>共同时间</translation>
        </message>
        <message>
            <source>Common traffic</source>
            <translation>共同通信量</translation>
        </message>
        <message>
            <source>Compare</source>
            <translation>对比</translation>
        </message>
        <message>
            <source>Compare the runs within</source>
            <translation>对比区间内的运行</translation>
        </message>
        <message>
            <source>Compare them</source>
            <translation>对比两者</translation>
        </message>
        <message>
            <source>Compare these</source>
            <translation>对比这些</translation>
        </message>
        <message>
            <source>compute</source>
            <translation>计算</translation>
        </message>
        <message>
            <source>Computing (%)</source>
            <translation>计算占比 (%)</translation>
        </message>
        <message>
            <source>computing / total time</source>
            <translation>计算时间 / 总时间</translation>
        </message>
        <message>
            <source>Computing time ratio</source>
            <translation>计算时间占比</translation>
        </message>
        <message>
            <source>computing time ratio</source>
            <translation>计算时间占比</translation>
        </message>
        <message>
            <source>Computing time ratio by the script</source>
            <translation>计算时间占比（按脚本）</translation>
        </message>
        <message>
            <source>Computing time ratio of %1</source>
            <translation>%1 的计算时间占比</translation>
        </message>
        <message>
            <source>Computing time ratio of %1 by the script</source>
            <translation>%1 的计算时间占比（按脚本）</translation>
        </message>
        <message>
            <source>Computing, a worker's mean</source>
            <translation>计算（工作节点平均）</translation>
        </message>
        <message>
            <source>Configuration</source>
            <translation>配置</translation>
        </message>
        <message>
            <source>Confirm that runs may execute this file</source>
            <translation>确认运行可以执行此文件</translation>
        </message>
        <message>
            <source>Confirm this file</source>
            <translation>确认此文件</translation>
        </message>
        <message>
            <source>Confirm…</source>
            <translation>确认…</translation>
        </message>
        <message>
            <source>Connect a machine</source>
            <translation>连接一台机器</translation>
        </message>
        <message>
            <source>Connected to first; its key is verified as well</source>
            <translation>先连接它；同样会验证其密钥</translation>
        </message>
        <message>
            <source>Connecting</source>
            <translation>正在连接</translation>
        </message>
        <message>
            <source>Connecting and comparing</source>
            <translation>正在连接并比对</translation>
        </message>
        <message>
            <source>Connection</source>
            <translation>连接</translation>
        </message>
        <message>
            <source>content as published, packed anew</source>
            <translation>内容与发布的一致，重新打包</translation>
        </message>
        <message>
            <source>Contents</source>
            <translation>目录</translation>
        </message>
        <message>
            <source>Continue</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>copies</source>
            <translation>个副本</translation>
        </message>
        <message>
            <source>Copies of the store</source>
            <translation>存储库副本</translation>
        </message>
        <message>
            <source>Copies the store, also while runs are recorded, and checks the copy</source>
            <translation>复制存储库（记录运行时也可以）并校验副本</translation>
        </message>
        <message>
            <source>Copy</source>
            <translation>复制</translation>
        </message>
        <message>
            <source>Copy as CSV</source>
            <translation>复制为 CSV</translation>
        </message>
        <message>
            <source>Copy CSV</source>
            <translation>复制 CSV</translation>
        </message>
        <message>
            <source>Copy error</source>
            <translation>复制错误</translation>
        </message>
        <message>
            <source>Copy errors</source>
            <translation>复制错误</translation>
        </message>
        <message>
            <source>Copy LaTeX</source>
            <translation>复制 LaTeX</translation>
        </message>
        <message>
            <source>Copy path</source>
            <translation>复制路径</translation>
        </message>
        <message>
            <source>Copy the data as CSV</source>
            <translation>将数据复制为 CSV</translation>
        </message>
        <message>
            <source>Copying</source>
            <translation>正在复制</translation>
        </message>
        <message>
            <source>Cores</source>
            <translation>核心</translation>
        </message>
        <message>
            <source>Cores that our processes may use</source>
            <translation>我们的进程可用的核心</translation>
        </message>
        <message>
            <source>Corrected</source>
            <translation>修正</translation>
        </message>
        <message>
            <source>Corrected: as measured. Published: the original scripts' formula</source>
            <translation>修正：按实测。发表版：原脚本的公式</translation>
        </message>
        <message>
            <source>cosine</source>
            <translation>余弦</translation>
        </message>
        <message>
            <source>CPUs</source>
            <translation>CPU</translation>
        </message>
        <message>
            <source>CPUs %1 busy</source>
            <translation>CPU %1 忙碌</translation>
        </message>
        <message>
            <source>Created</source>
            <translation>创建时间</translation>
        </message>
        <message>
            <source>CSV of %1</source>
            <translation>%1 的 CSV</translation>
        </message>
        <message>
            <source>Ctrl+Left  Ctrl+Right</source>
            <translation>Ctrl+左  Ctrl+右</translation>
        </message>
        <message>
            <source>Ctrl+Up  Ctrl+Down</source>
            <translation>Ctrl+上  Ctrl+下</translation>
        </message>
        <message>
            <source>current</source>
            <translation>当前版本</translation>
        </message>
        <message>
            <source>current, in use</source>
            <translation>当前版本，使用中</translation>
        </message>
        <message>
            <source>CURVE, keys of this run</source>
            <translation>CURVE，本次运行的密钥</translation>
        </message>
        <message>
            <source>cut at 120 minutes, as in the script</source>
            <translation>与脚本一致，截至 120 分钟</translation>
        </message>
        <message>
            <source>Cut to</source>
            <translation>截断到</translation>
        </message>
        <message>
            <source>d MMM HH:mm</source>
            <translation>M月d日 HH:mm</translation>
        </message>
        <message>
            <source>d MMM yyyy</source>
            <translation>yyyy年M月d日</translation>
        </message>
        <message>
            <source>Dark</source>
            <translation>深色</translation>
        </message>
        <message>
            <source>Data</source>
            <translation>数据</translation>
        </message>
        <message>
            <source>Data interface</source>
            <translation>数据接口</translation>
        </message>
        <message>
            <source>Data of a lost worker</source>
            <translation>丢失工作节点的数据</translation>
        </message>
        <message>
            <source>Data set</source>
            <translation>数据集</translation>
        </message>
        <message>
            <source>Data sets</source>
            <translation>数据集</translation>
        </message>
        <message>
            <source>Data sets cannot be listed</source>
            <translation>无法列出数据集</translation>
        </message>
        <message>
            <source>Data throughput</source>
            <translation>数据吞吐量</translation>
        </message>
        <message>
            <source>Decays</source>
            <translation>衰减对象</translation>
        </message>
        <message>
            <source>Decode every picture</source>
            <translation>解码每张图片</translation>
        </message>
        <message>
            <source>default %1</source>
            <translation>默认 %1</translation>
        </message>
        <message>
            <source>Del</source>
            <translation>Del</translation>
        </message>
        <message>
            <source>Delete</source>
            <translation>删除</translation>
        </message>
        <message>
            <source>Delete for ever</source>
            <translation>永久删除</translation>
        </message>
        <message numerus="yes">
            <source>Deleted %n run(s). %1</source>
            <translation>
                <numerusform>已删除 %n 个运行。%1</numerusform>
            </translation>
        </message>
        <message>
            <source>Deploy</source>
            <translation>部署</translation>
        </message>
        <message>
            <source>Deploying</source>
            <translation>部署中</translation>
        </message>
        <message>
            <source>deploying</source>
            <translation>部署中</translation>
        </message>
        <message>
            <source>Desktop notices</source>
            <translation>桌面通知</translation>
        </message>
        <message>
            <source>Details</source>
            <translation>详情</translation>
        </message>
        <message>
            <source>Detected from the file</source>
            <translation>由文件识别</translation>
        </message>
        <message>
            <source>Device</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>Devices</source>
            <translation>设备</translation>
        </message>
        <message>
            <source>devices from the left: %1</source>
            <translation>设备自左起：%1</translation>
        </message>
        <message>
            <source>did not reach the target</source>
            <translation>未达到目标</translation>
        </message>
        <message>
            <source>did not record its workers' times</source>
            <translation>未记录工作节点的时间</translation>
        </message>
        <message>
            <source>Differences</source>
            <translation>差异</translation>
        </message>
        <message>
            <source>Differences of %1</source>
            <translation>%1 的差异</translation>
        </message>
        <message>
            <source>differs from the published one</source>
            <translation>与发布的不同</translation>
        </message>
        <message>
            <source>Disk</source>
            <translation>磁盘</translation>
        </message>
        <message>
            <source>Disk use has not been asked for yet.</source>
            <translation>尚未查询磁盘用量。</translation>
        </message>
        <message>
            <source>Disk used</source>
            <translation>磁盘用量</translation>
        </message>
        <message>
            <source>Dismiss</source>
            <translation>关闭提示</translation>
        </message>
        <message>
            <source>distance from the mean of the workers</source>
            <translation>与工作节点均值的距离</translation>
        </message>
        <message>
            <source>Dividing the data set…</source>
            <translation>正在划分数据集…</translation>
        </message>
        <message>
            <source>Do not connect</source>
            <translation>不连接</translation>
        </message>
        <message>
            <source>Document</source>
            <translation>文档</translation>
        </message>
        <message>
            <source>Documents and summaries</source>
            <translation>文档与摘要</translation>
        </message>
        <message>
            <source>Does not apply: %1 sends what it has computed when all of it is there</source>
            <translation>不适用：%1 在全部计算完成后才发送</translation>
        </message>
        <message>
            <source>done</source>
            <translation>完成</translation>
        </message>
        <message>
            <source>Done again: %1</source>
            <translation>已重做：%1</translation>
        </message>
        <message>
            <source>Down</source>
            <translation>下移</translation>
        </message>
        <message>
            <source>Download</source>
            <translation>下载</translation>
        </message>
        <message>
            <source>Download %1</source>
            <translation>下载 %1</translation>
        </message>
        <message>
            <source>Downloading</source>
            <translation>下载中</translation>
        </message>
        <message>
            <source>Downloading %1. It can be stopped and goes on where it broke off.</source>
            <translation>正在下载 %1。可随时停止，之后从中断处继续。</translation>
        </message>
        <message>
            <source>Downloading %1: %2. It can be stopped and goes on where it broke off.</source>
            <translation>正在下载 %1：%2。可随时停止，之后从中断处继续。</translation>
        </message>
        <message>
            <source>Draft</source>
            <translation>草稿</translation>
        </message>
        <message>
            <source>draft</source>
            <translation>草稿</translation>
        </message>
        <message>
            <source>Drag from one worker to another to join or to part them. Arrow keys choose an edge, Del removes it</source>
            <translation>从一个工作节点拖到另一个可连接或断开。方向键选择边，Del 移除</translation>
        </message>
        <message>
            <source>drawer.py: 1 - aggregation time / elapsed time; evaluation and waiting for data count as computing</source>
            <translation>drawer.py：1 - 聚合时间 / 总用时；评估与等待数据计为计算</translation>
        </message>
        <message>
            <source>drawer.py: every %1th point, led by (0, 0.1), mean of %2 points, rounded to whole seconds and 0.001</source>
            <translation>drawer.py：每 %1 个点取一，以 (0, 0.1) 起始，%2 个点取均值，舍入到整秒与 0.001</translation>
        </message>
        <message>
            <source>drawer.py: int(rounds x workers x model MiB / elapsed time), one direction</source>
            <translation>drawer.py：int(轮数 x 工作节点数 x 模型 MiB / 总用时)，单向</translation>
        </message>
        <message>
            <source>drawer.py: int(samples of all devices / elapsed time of the first device)</source>
            <translation>drawer.py：int(所有设备的样本数 / 第一个设备的用时)</translation>
        </message>
        <message>
            <source>Drawn at random.</source>
            <translation>随机抽取。</translation>
        </message>
        <message>
            <source>Drawn at random: all that the model would try was tried.</source>
            <translation>随机抽取：模型要尝试的都已试过。</translation>
        </message>
        <message>
            <source>Drawn at random: the model needs %1 points that have ended, and there are %2.</source>
            <translation>随机抽取：模型需要 %1 个已结束的点，现有 %2 个。</translation>
        </message>
        <message>
            <source>Drawn at random: the model needs %1 points that have ended, and there is 1.</source>
            <translation>随机抽取：模型需要 %1 个已结束的点，现有 1 个。</translation>
        </message>
        <message>
            <source>Draws the next ones; the same ones come again with every start</source>
            <translation>抽取下一批；每次启动时抽取的顺序相同</translation>
        </message>
        <message>
            <source>Drop to take in: results go to Runs, documents to Experiments, lists of hosts to Clusters, data sets to Data</source>
            <translation>松开以导入：结果进入“运行”，文档进入“实验”，主机列表进入“集群”，数据集进入“数据”</translation>
        </message>
        <message>
            <source>dropped</source>
            <translation>已停止</translation>
        </message>
        <message>
            <source>Each alone</source>
            <translation>各自一组</translation>
        </message>
        <message>
            <source>Each copy in it is named by its time</source>
            <translation>其中每个副本以时间命名</translation>
        </message>
        <message>
            <source>Each lane is one node, time runs to the right, and its colours say what it does: the long light parts of w0, w1 and w2 are waits.</source>
            <translation>每条泳道是一个节点，时间向右推移，颜色表示它在做什么：w0、w1 和 w2 中长的浅色部分是等待。</translation>
        </message>
        <message>
            <source>each point: mean over as many rounds as there are workers, in the order of their ends</source>
            <translation>每点：按结束次序，与工作节点数相同的轮数的均值</translation>
        </message>
        <message>
            <source>each point: mean over one record of every node that records it, in the order of their times</source>
            <translation>每点：按时间次序，每个记录它的节点各取一条记录的均值</translation>
        </message>
        <message>
            <source>each point: mean over one record of every worker; between the sum of a worker's gradients in a round and the step that its parameters made against it</source>
            <translation>每个点：每个工作节点一条记录的平均；工作节点一轮内梯度之和与其参数反向所走一步之间的余弦</translation>
        </message>
        <message>
            <source>each point: mean over one record of every worker; of mini-batches, before decay and clipping, mean over the local steps</source>
            <translation>每个点：每个工作节点一条记录的平均；小批的梯度，衰减和裁剪之前，对本地步取平均</translation>
        </message>
        <message>
            <source>each point: mean over one record of every worker; of what a round changes in a worker's parameters, by itself and by others</source>
            <translation>每个点：每个工作节点一条记录的平均；一轮对工作节点参数的改变，包括自己的和其他节点的</translation>
        </message>
        <message>
            <source>Each worker's part of the training data, and of several servers each one's part of the parameters, follow what their hosts' cores can do</source>
            <translation>每个工作节点的训练数据份额，以及多个服务器各自的参数份额，均按其主机核心的能力分配</translation>
        </message>
        <message>
            <source>Earlier by one</source>
            <translation>提前一位</translation>
        </message>
        <message>
            <source>ECL hosts.json</source>
            <translation>ECL hosts.json</translation>
        </message>
        <message>
            <source>ECL node lists (*.json);;All files (*)</source>
            <translation>ECL 节点列表 (*.json);;所有文件 (*)</translation>
        </message>
        <message>
            <source>Edges</source>
            <translation>边</translation>
        </message>
        <message>
            <source>edges</source>
            <translation>边</translation>
        </message>
        <message>
            <source>Edit</source>
            <translation>编辑</translation>
        </message>
        <message>
            <source>Edit %1</source>
            <translation>编辑 %1</translation>
        </message>
        <message>
            <source>Edit a copy</source>
            <translation>编辑副本</translation>
        </message>
        <message>
            <source>Elapsed</source>
            <translation>已用时间</translation>
        </message>
        <message>
            <source>elsewhere step times as the document emulates them</source>
            <translation>其余单步时间按文档的模拟</translation>
        </message>
        <message>
            <source>empty</source>
            <translation>空</translation>
        </message>
        <message>
            <source>Empty the trash…</source>
            <translation>清空回收站…</translation>
        </message>
        <message>
            <source>Empty: as ~/.ssh/config says</source>
            <translation>留空：按 ~/.ssh/config</translation>
        </message>
        <message>
            <source>Empty: as ~/.ssh/config says, else 22</source>
            <translation>留空：按 ~/.ssh/config，否则为 22</translation>
        </message>
        <message>
            <source>End</source>
            <translation>结束原因</translation>
        </message>
        <message>
            <source>End the search</source>
            <translation>结束搜索</translation>
        </message>
        <message>
            <source>Ended</source>
            <translation>结束时间</translation>
        </message>
        <message>
            <source>ended</source>
            <translation>已结束</translation>
        </message>
        <message>
            <source>Ended on request.</source>
            <translation>按要求结束。</translation>
        </message>
        <message>
            <source>Engine</source>
            <translation>引擎</translation>
        </message>
        <message>
            <source>Environment</source>
            <translation>环境变量</translation>
        </message>
        <message>
            <source>Epochs</source>
            <translation>周期</translation>
        </message>
        <message>
            <source>epochs</source>
            <translation>周期</translation>
        </message>
        <message>
            <source>Epsilon</source>
            <translation>Epsilon</translation>
        </message>
        <message>
            <source>Equal shares</source>
            <translation>均分份额</translation>
        </message>
        <message>
            <source>Error feedback</source>
            <translation>误差反馈</translation>
        </message>
        <message>
            <source>ESync reached %1 in %2 with %3 samples/s, SSGD %4 in %5 with %6</source>
            <translation>ESync 在 %2 内达到 %1（%3 样本/秒），SSGD 在 %5 内达到 %4（%6 样本/秒）</translation>
        </message>
        <message>
            <source>esync tree</source>
            <translation>ESync 日志树</translation>
        </message>
        <message>
            <source>ESync's log tree</source>
            <translation>ESync 的日志目录树</translation>
        </message>
        <message>
            <source>ESync's log tree, in the folders that its own scripts read</source>
            <translation>ESync 的日志树（按其自带脚本读取的文件夹）</translation>
        </message>
        <message>
            <source>ESync's README gives the definition, no script computes it: values rounded as in its summary</source>
            <translation>定义见 ESync 的 README，没有脚本计算它：数值按其摘要方式舍入</translation>
        </message>
        <message>
            <source>ESync's summary</source>
            <translation>ESync 的摘要</translation>
        </message>
        <message>
            <source>ESync's summary counts a round's log entries: local steps + 1; no script draws them</source>
            <translation>ESync 的摘要统计每轮日志条数：本地步数 + 1；没有脚本绘制它</translation>
        </message>
        <message>
            <source>evaluate</source>
            <translation>评估</translation>
        </message>
        <message>
            <source>Evaluate and stop</source>
            <translation>评估与停止</translation>
        </message>
        <message>
            <source>Evaluate every</source>
            <translation>评估间隔</translation>
        </message>
        <message>
            <source>Evaluate on</source>
            <translation>评估节点</translation>
        </message>
        <message>
            <source>evaluating</source>
            <translation>评估中</translation>
        </message>
        <message>
            <source>evaluation</source>
            <translation>评估</translation>
        </message>
        <message>
            <source>Evaluation s</source>
            <translation>评估 s</translation>
        </message>
        <message>
            <source>evaluations</source>
            <translation>评估</translation>
        </message>
        <message>
            <source>Evaluations behind what all runs have are left out, so that none is ahead because it trained for longer</source>
            <translation>超出所有运行共有范围的评估会被略去，以免有运行仅因训练更久而领先</translation>
        </message>
        <message>
            <source>evaluations up to %1, as far as every run goes; rates are those of whole runs</source>
            <translation>评估截至 %1，即所有运行都达到之处；速率为完整运行的速率</translation>
        </message>
        <message>
            <source>evaluations up to %1; rates are those of whole runs</source>
            <translation>评估截至 %1；速率为完整运行的速率</translation>
        </message>
        <message>
            <source>evaluations up to %1; rates are those of whole runs; shorter than that: %2</source>
            <translation>评估截至 %1；速率为完整运行的速率；短于此的：%2</translation>
        </message>
        <message>
            <source>evaluator</source>
            <translation>评估节点</translation>
        </message>
        <message>
            <source>Evaluator's source</source>
            <translation>评估参数来源</translation>
        </message>
        <message>
            <source>events</source>
            <translation>事件</translation>
        </message>
        <message>
            <source>Every</source>
            <translation>间隔</translation>
        </message>
        <message numerus="yes">
            <source>every %n step(s)</source>
            <translation>
                <numerusform>每 %n 步</numerusform>
            </translation>
        </message>
        <message>
            <source>Every loss of this run is a number.</source>
            <translation>此运行的损失均为数值。</translation>
        </message>
        <message>
            <source>Every must be a number of hours from %1 to %2; it is "%3"</source>
            <translation>间隔须为 %1 到 %2 之间的小时数；现为“%3”</translation>
        </message>
        <message>
            <source>Every point was tried.</source>
            <translation>所有点都已试过。</translation>
        </message>
        <message>
            <source>every run has a partition that is not i.i.d.; accuracy_non_iid draws them</source>
            <translation>所有运行的划分都不是独立同分布；由 accuracy_non_iid 绘制</translation>
        </message>
        <message>
            <source>Every steps</source>
            <translation>间隔步数</translation>
        </message>
        <message>
            <source>every worker has the whole set</source>
            <translation>每个工作节点都有完整数据集</translation>
        </message>
        <message>
            <source>Everything</source>
            <translation>全部</translation>
        </message>
        <message>
            <source>everything</source>
            <translation>全部参数</translation>
        </message>
        <message>
            <source>Everywhere</source>
            <translation>通用</translation>
        </message>
        <message>
            <source>exchange</source>
            <translation>交换</translation>
        </message>
        <message>
            <source>exchange less often: %1</source>
            <translation>减少交换次数：%1</translation>
        </message>
        <message>
            <source>exchanges as fast as in run "%1"</source>
            <translation>交换速度同运行“%1”</translation>
        </message>
        <message>
            <source>exchanges that cost more than such small batches compute</source>
            <translation>比小批计算本身更耗时的交换</translation>
        </message>
        <message>
            <source>Expected: %1</source>
            <translation>期望：%1</translation>
        </message>
        <message>
            <source>Experiment</source>
            <translation>实验</translation>
        </message>
        <message>
            <source>Experiment form</source>
            <translation>实验表单</translation>
        </message>
        <message>
            <source>Experiments</source>
            <translation>实验</translation>
        </message>
        <message>
            <source>Experiments (*.json)</source>
            <translation>实验 (*.json)</translation>
        </message>
        <message>
            <source>Experiments (*.json);;All files (*)</source>
            <translation>实验 (*.json);;所有文件 (*)</translation>
        </message>
        <message>
            <source>Export</source>
            <translation>导出</translation>
        </message>
        <message numerus="yes">
            <source>Export %n run(s)</source>
            <translation>
                <numerusform>导出 %n 个运行</numerusform>
            </translation>
        </message>
        <message>
            <source>Export figure</source>
            <translation>导出图</translation>
        </message>
        <message>
            <source>Export the figure</source>
            <translation>导出图</translation>
        </message>
        <message>
            <source>Export the report</source>
            <translation>导出报告</translation>
        </message>
        <message>
            <source>Export this figure</source>
            <translation>导出此图</translation>
        </message>
        <message>
            <source>Exported %1 to %2</source>
            <translation>已将 %1 导出到 %2</translation>
        </message>
        <message>
            <source>Export…</source>
            <translation>导出…</translation>
        </message>
        <message>
            <source>Failed</source>
            <translation>失败</translation>
        </message>
        <message>
            <source>failed</source>
            <translation>失败</translation>
        </message>
        <message>
            <source>faint line: as many times as there are workers</source>
            <translation>浅色线：与工作节点数相同的倍数</translation>
        </message>
        <message>
            <source>fetch</source>
            <translation>取数据</translation>
        </message>
        <message>
            <source>Fewer than two of these runs have a document.</source>
            <translation>这些运行中有文档的不足两个。</translation>
        </message>
        <message>
            <source>Field</source>
            <translation>字段</translation>
        </message>
        <message>
            <source>Figures of the chosen runs; Enter shows one</source>
            <translation>所选运行的图；按 Enter 显示其中一幅</translation>
        </message>
        <message>
            <source>Figures that do not apply, and why</source>
            <translation>不适用的图及原因</translation>
        </message>
        <message>
            <source>File</source>
            <translation>文件</translation>
        </message>
        <message>
            <source>File of known keys; empty: as ssh does</source>
            <translation>已知密钥文件；留空：同 ssh 默认</translation>
        </message>
        <message>
            <source>Files, checksums, samples of each class</source>
            <translation>文件、校验和、各类别的样本数</translation>
        </message>
        <message>
            <source>Filter by node or words</source>
            <translation>按节点或词语筛选</translation>
        </message>
        <message>
            <source>Filter runs</source>
            <translation>筛选运行</translation>
        </message>
        <message>
            <source>Findings</source>
            <translation>检查结果</translation>
        </message>
        <message>
            <source>Finished</source>
            <translation>已完成</translation>
        </message>
        <message>
            <source>finished</source>
            <translation>已完成</translation>
        </message>
        <message>
            <source>first after</source>
            <translation>首次检查于</translation>
        </message>
        <message>
            <source>First of those that wait</source>
            <translation>等待者中的第一个</translation>
        </message>
        <message>
            <source>First rows</source>
            <translation>前几行</translation>
        </message>
        <message>
            <source>folded</source>
            <translation>已折叠</translation>
        </message>
        <message>
            <source>Folder</source>
            <translation>文件夹</translation>
        </message>
        <message>
            <source>Follow this run again: fetch what is missing from its hosts</source>
            <translation>重新跟踪此运行：从其主机获取缺失的记录</translation>
        </message>
        <message>
            <source>Follow: import again when it grows, until this window closes</source>
            <translation>跟踪：文件增长时再次导入，直到此窗口关闭</translation>
        </message>
        <message>
            <source>follows the checkpoint files</source>
            <translation>跟随检查点文件</translation>
        </message>
        <message>
            <source>Font</source>
            <translation>字体</translation>
        </message>
        <message>
            <source>For sbatch, separated by spaces</source>
            <translation>传给 sbatch，以空格分隔</translation>
        </message>
        <message>
            <source>Forget %1 not run</source>
            <translation>移出未运行的 %1 个</translation>
        </message>
        <message>
            <source>Format</source>
            <translation>格式</translation>
        </message>
        <message>
            <source>Formula</source>
            <translation>公式</translation>
        </message>
        <message>
            <source>Forward (Alt+Right)</source>
            <translation>前进 (Alt+Right)</translation>
        </message>
        <message>
            <source>Found</source>
            <translation>搜索结果</translation>
        </message>
        <message>
            <source>Four runs that were recorded before. They can be hidden again.</source>
            <translation>事先录制的四个运行。可再次隐藏。</translation>
        </message>
        <message>
            <source>Four workers, one of them eight times as slow, train twice for 17 s on generated pictures. Nothing is downloaded.</source>
            <translation>四个工作节点，其中一个慢八倍，用生成的图片训练两次，每次 17 s。无需下载。</translation>
        </message>
        <message>
            <source>fraction of elements sent</source>
            <translation>发送元素的比例</translation>
        </message>
        <message>
            <source>Framed</source>
            <translation>含帧头</translation>
        </message>
        <message>
            <source>Freed %1: the store has %2 now, before %3</source>
            <translation>已释放 %1：存储库现为 %2，此前为 %3</translation>
        </message>
        <message>
            <source>From</source>
            <translation>起点</translation>
        </message>
        <message>
            <source>from \ to</source>
            <translation>从 \ 到</translation>
        </message>
        <message>
            <source>From a template or an empty form.</source>
            <translation>从模板或空表单开始。</translation>
        </message>
        <message>
            <source>From file…</source>
            <translation>从文件…</translation>
        </message>
        <message>
            <source>From its publisher; its checksums are verified</source>
            <translation>从发布者处下载，并核对校验和</translation>
        </message>
        <message>
            <source>gaps</source>
            <translation>空隙</translation>
        </message>
        <message>
            <source>Gets each notice as JSON (POST); Slack, Mattermost and others show its sentence</source>
            <translation>以 JSON（POST）接收每条通知；Slack、Mattermost 等会显示其中的句子</translation>
        </message>
        <message>
            <source>give %1 a faster device or less work</source>
            <translation>给 %1 更快的设备或更少的工作</translation>
        </message>
        <message>
            <source>Give unused pages back</source>
            <translation>释放未用页</translation>
        </message>
        <message>
            <source>Give up a silent node after</source>
            <translation>节点无响应多久后放弃</translation>
        </message>
        <message>
            <source>given up</source>
            <translation>已放弃</translation>
        </message>
        <message>
            <source>given up by its search</source>
            <translation>被其搜索放弃</translation>
        </message>
        <message>
            <source>Gloo</source>
            <translation>Gloo</translation>
        </message>
        <message>
            <source>Go</source>
            <translation>放行</translation>
        </message>
        <message>
            <source>Go on</source>
            <translation>继续</translation>
        </message>
        <message>
            <source>Go on by itself</source>
            <translation>自行继续</translation>
        </message>
        <message>
            <source>Go on from the last checkpoint, as a new run that has this one's records up to there; stop rules may change</source>
            <translation>从最后的检查点继续，作为带有此前记录的新运行；停止规则可以更改</translation>
        </message>
        <message>
            <source>Go on with the download</source>
            <translation>继续下载</translation>
        </message>
        <message>
            <source>Go to a page, run, host or field, or do something</source>
            <translation>前往页面、运行、主机或字段，或执行命令</translation>
        </message>
        <message>
            <source>Go to or do</source>
            <translation>前往或执行</translation>
        </message>
        <message>
            <source>Go to the next problem</source>
            <translation>转到下一个问题</translation>
        </message>
        <message>
            <source>Goes on from</source>
            <translation>继续自</translation>
        </message>
        <message>
            <source>Goes to</source>
            <translation>保存到</translation>
        </message>
        <message>
            <source>going</source>
            <translation>进行中</translation>
        </message>
        <message>
            <source>good</source>
            <translation>通过</translation>
        </message>
        <message>
            <source>Got it</source>
            <translation>知道了</translation>
        </message>
        <message>
            <source>got no better for its patience</source>
            <translation>在耐心期内没有变好</translation>
        </message>
        <message>
            <source>GPUs</source>
            <translation>GPU</translation>
        </message>
        <message>
            <source>GPUs its driver lists</source>
            <translation>其驱动列出的 GPU</translation>
        </message>
        <message>
            <source>gradient dropping</source>
            <translation>梯度丢弃</translation>
        </message>
        <message>
            <source>Grid</source>
            <translation>网格</translation>
        </message>
        <message>
            <source>Group</source>
            <translation>分组</translation>
        </message>
        <message>
            <source>Group of each</source>
            <translation>各自的分组</translation>
        </message>
        <message>
            <source>Groups</source>
            <translation>分组</translation>
        </message>
        <message>
            <source>groups</source>
            <translation>组</translation>
        </message>
        <message>
            <source>has no evaluation</source>
            <translation>没有评估</translation>
        </message>
        <message>
            <source>has no rounds</source>
            <translation>没有轮次</translation>
        </message>
        <message>
            <source>has not begun.</source>
            <translation>尚未开始。</translation>
        </message>
        <message>
            <source>Height</source>
            <translation>高度</translation>
        </message>
        <message>
            <source>Held</source>
            <translation>已暂停</translation>
        </message>
        <message>
            <source>held</source>
            <translation>已暂停</translation>
        </message>
        <message>
            <source>held out</source>
            <translation>留出</translation>
        </message>
        <message>
            <source>held still</source>
            <translation>已停留</translation>
        </message>
        <message>
            <source>Held: no further run begins until it is let go.</source>
            <translation>已暂停：放行之前不再开始新的运行。</translation>
        </message>
        <message>
            <source>Held: no further run begins until it is let go. %1</source>
            <translation>已暂停：放行之前不再开始新的运行。%1</translation>
        </message>
        <message>
            <source>Here</source>
            <translation>已有</translation>
        </message>
        <message>
            <source>Hide the sample</source>
            <translation>隐藏示例</translation>
        </message>
        <message>
            <source>Hint %1 of %2: %3</source>
            <translation>提示 %1 / %2：%3</translation>
        </message>
        <message>
            <source>Hold</source>
            <translation>暂停</translation>
        </message>
        <message>
            <source>Hold out</source>
            <translation>留出</translation>
        </message>
        <message>
            <source>Hold the part that is shown, or go on</source>
            <translation>停留在当前显示部分，或继续</translation>
        </message>
        <message>
            <source>Hold the search</source>
            <translation>暂停搜索</translation>
        </message>
        <message>
            <source>Hold, or let go</source>
            <translation>暂停或放行</translation>
        </message>
        <message>
            <source>Home  End</source>
            <translation>Home  End</translation>
        </message>
        <message>
            <source>Host</source>
            <translation>主机</translation>
        </message>
        <message>
            <source>Host %1, %2</source>
            <translation>主机 %1，%2</translation>
        </message>
        <message>
            <source>host CPU</source>
            <translation>主机 CPU</translation>
        </message>
        <message>
            <source>Host key</source>
            <translation>主机密钥</translation>
        </message>
        <message>
            <source>Host name</source>
            <translation>主机名</translation>
        </message>
        <message>
            <source>Host name, IP or alias</source>
            <translation>主机名、IP 或别名</translation>
        </message>
        <message>
            <source>host records</source>
            <translation>主机记录</translation>
        </message>
        <message>
            <source>Hosts</source>
            <translation>主机</translation>
        </message>
        <message>
            <source>hosts</source>
            <translation>主机</translation>
        </message>
        <message>
            <source>Hosts and devices of the node</source>
            <translation>节点的主机与设备</translation>
        </message>
        <message>
            <source>hours</source>
            <translation>小时</translation>
        </message>
        <message>
            <source>How a report is written</source>
            <translation>报告的写法</translation>
        </message>
        <message>
            <source>How busy its CPUs are, with all that runs there; told by a run that trains there now</source>
            <translation>其 CPU 的忙碌程度，含其上运行的一切；由当前在那里训练的运行告知</translation>
        </message>
        <message>
            <source>How busy its CPUs were in the last two minutes</source>
            <translation>其 CPU 最近两分钟的忙碌程度</translation>
        </message>
        <message>
            <source>How far the kernel's count is above the framed bytes</source>
            <translation>内核计数比含帧头的字节多多少</translation>
        </message>
        <message>
            <source>How far the recorded bytes are above that</source>
            <translation>记录的字节比它多多少</translation>
        </message>
        <message>
            <source>How to write</source>
            <translation>写法说明</translation>
        </message>
        <message>
            <source>Id</source>
            <translation>标识</translation>
        </message>
        <message>
            <source>ideal</source>
            <translation>理想</translation>
        </message>
        <message>
            <source>Identity</source>
            <translation>身份</translation>
        </message>
        <message>
            <source>Identity file</source>
            <translation>身份文件</translation>
        </message>
        <message>
            <source>Import</source>
            <translation>导入</translation>
        </message>
        <message>
            <source>Import a f&amp;older…</source>
            <translation>导入文件夹(&amp;O)…</translation>
        </message>
        <message>
            <source>Import from a file…</source>
            <translation>从文件导入…</translation>
        </message>
        <message>
            <source>Import hosts</source>
            <translation>导入主机</translation>
        </message>
        <message>
            <source>Import with &amp;choices…</source>
            <translation>带选项导入(&amp;C)…</translation>
        </message>
        <message>
            <source>Imported</source>
            <translation>已导入</translation>
        </message>
        <message>
            <source>imported</source>
            <translation>已导入</translation>
        </message>
        <message>
            <source>Imported %1 from %2, which is followed as it grows.</source>
            <translation>已从 %2 导入 %1，并随其增长继续跟踪。</translation>
        </message>
        <message>
            <source>Imported %1 from %2.</source>
            <translation>已从 %2 导入 %1。</translation>
        </message>
        <message>
            <source>in %1 s</source>
            <translation>用时 %1 s</translation>
        </message>
        <message>
            <source>In a copy of "%1": %2</source>
            <translation>在“%1”的副本中：%2</translation>
        </message>
        <message>
            <source>In a round, on the mean of all rounds</source>
            <translation>每轮的本地步数，所有轮的平均</translation>
        </message>
        <message>
            <source>in no file yet</source>
            <translation>尚未存为文件</translation>
        </message>
        <message>
            <source>in round %1 the loss is infinite: training has diverged</source>
            <translation>第 %1 轮的损失为无穷大：训练已发散</translation>
        </message>
        <message>
            <source>in round %1 the loss is NaN: training has diverged</source>
            <translation>第 %1 轮的损失为 NaN：训练已发散</translation>
        </message>
        <message>
            <source>in the latest round: %1</source>
            <translation>最近一轮：%1</translation>
        </message>
        <message>
            <source>In the order in which they run</source>
            <translation>按运行顺序排列</translation>
        </message>
        <message>
            <source>in the trash</source>
            <translation>在回收站中</translation>
        </message>
        <message>
            <source>in use</source>
            <translation>使用中</translation>
        </message>
        <message>
            <source>Insert</source>
            <translation>插入</translation>
        </message>
        <message>
            <source>Insert a number, a figure, a table or lanes</source>
            <translation>插入数值、图、表或泳道</translation>
        </message>
        <message>
            <source>Inside the band</source>
            <translation>在区间内</translation>
        </message>
        <message>
            <source>Installed</source>
            <translation>安装容量</translation>
        </message>
        <message>
            <source>into</source>
            <translation>分为</translation>
        </message>
        <message>
            <source>IP that other hosts' nodes connect to; empty: its address</source>
            <translation>其他主机的节点所连接的 IP；留空：使用其地址</translation>
        </message>
        <message>
            <source>Is this %1?</source>
            <translation>这是 %1 吗？</translation>
        </message>
        <message>
            <source>it answers %1</source>
            <translation>它回答 %1</translation>
        </message>
        <message>
            <source>it answers %1 (not found)</source>
            <translation>它回答 %1（未找到）</translation>
        </message>
        <message>
            <source>It cannot go on: %1</source>
            <translation>无法继续：%1</translation>
        </message>
        <message>
            <source>It could not be tried here: %1</source>
            <translation>无法在此处试用：%1</translation>
        </message>
        <message>
            <source>it did not record how many samples its workers train on, so an epoch is not known</source>
            <translation>它未记录工作节点的训练样本数，因此周期未知</translation>
        </message>
        <message>
            <source>It ends after about %1.</source>
            <translation>约 %1 后结束。</translation>
        </message>
        <message>
            <source>It ends after less than 0.1 s.</source>
            <translation>不到 0.1 s 即结束。</translation>
        </message>
        <message>
            <source>it evaluates itself</source>
            <translation>由它自行评估</translation>
        </message>
        <message>
            <source>it has no evaluations</source>
            <translation>它没有评估</translation>
        </message>
        <message>
            <source>it is of one run</source>
            <translation>它只针对一个运行</translation>
        </message>
        <message>
            <source>It is of sgd</source>
            <translation>只用于 sgd</translation>
        </message>
        <message>
            <source>It knows the data sets and where they are.</source>
            <translation>它知道有哪些数据集以及它们的位置。</translation>
        </message>
        <message>
            <source>it records no %1</source>
            <translation>它不记录 %1</translation>
        </message>
        <message>
            <source>it was asking the state server</source>
            <translation>它在询问状态服务器</translation>
        </message>
        <message>
            <source>it was busy with others</source>
            <translation>它忙于处理其他节点</translation>
        </message>
        <message>
            <source>it was computing</source>
            <translation>它在计算</translation>
        </message>
        <message>
            <source>it was evaluating</source>
            <translation>它在评估</translation>
        </message>
        <message>
            <source>it was making its batch</source>
            <translation>它在准备批数据</translation>
        </message>
        <message>
            <source>it was receiving</source>
            <translation>它在接收</translation>
        </message>
        <message>
            <source>it was sending</source>
            <translation>它在发送</translation>
        </message>
        <message>
            <source>it was updating its parameters</source>
            <translation>它在更新参数</translation>
        </message>
        <message>
            <source>it was waiting for %1</source>
            <translation>它在等待 %1</translation>
        </message>
        <message>
            <source>it was waiting itself</source>
            <translation>它自己也在等待</translation>
        </message>
        <message>
            <source>It will try %1.</source>
            <translation>将尝试 %1。</translation>
        </message>
        <message>
            <source>its document emulates no bandwidth</source>
            <translation>其文档未模拟带宽</translation>
        </message>
        <message>
            <source>its document records no norms</source>
            <translation>其文档不记录范数</translation>
        </message>
        <message>
            <source>Its file says what it takes.</source>
            <translation>由其文件决定接受什么。</translation>
        </message>
        <message>
            <source>its host shut down</source>
            <translation>其主机已关机</translation>
        </message>
        <message>
            <source>its host was busy</source>
            <translation>其主机忙碌</translation>
        </message>
        <message>
            <source>its method records no metric of its own</source>
            <translation>其方法没有自己的指标</translation>
        </message>
        <message>
            <source>its method sends everything</source>
            <translation>其方法发送全部内容</translation>
        </message>
        <message>
            <source>Its name in documents</source>
            <translation>它在文档中的名称</translation>
        </message>
        <message>
            <source>Its name in the document</source>
            <translation>它在文档中的名称</translation>
        </message>
        <message>
            <source>Its neighbour</source>
            <translation>它的邻居</translation>
        </message>
        <message>
            <source>Its runs are stopped; what it found so far stands.</source>
            <translation>其运行将被停止；已找到的结果保留。</translation>
        </message>
        <message>
            <source>Its waiting runs before all others</source>
            <translation>其等待中的运行排在所有其他运行之前</translation>
        </message>
        <message>
            <source>its workers are not recorded</source>
            <translation>未记录其工作节点</translation>
        </message>
        <message>
            <source>its workers' labels were not recorded</source>
            <translation>未记录其工作节点的标签</translation>
        </message>
        <message>
            <source>Jitter</source>
            <translation>抖动</translation>
        </message>
        <message>
            <source>JSON of the experiment</source>
            <translation>实验的 JSON</translation>
        </message>
        <message>
            <source>Jump host</source>
            <translation>跳板机</translation>
        </message>
        <message>
            <source>Keep</source>
            <translation>保留</translation>
        </message>
        <message>
            <source>keep its data in memory or on a faster disk</source>
            <translation>将其数据放在内存或更快的磁盘上</translation>
        </message>
        <message>
            <source>Keep must be a whole number from 1 to %1; it is "%2"</source>
            <translation>保留数须为 1 到 %1 之间的整数；现为“%2”</translation>
        </message>
        <message>
            <source>Keeps the proportions of the workers' and of the servers' shares and makes each sum to exactly 1</source>
            <translation>保持工作节点与服务器份额的比例，并使各自之和恰为 1</translation>
        </message>
        <message>
            <source>Kept in memory until this window and the recorder end; written nowhere.</source>
            <translation>仅保存在内存中，直至本窗口与记录器结束；不写入任何地方。</translation>
        </message>
        <message>
            <source>Kernel</source>
            <translation>内核</translation>
        </message>
        <message>
            <source>Key type</source>
            <translation>密钥类型</translation>
        </message>
        <message>
            <source>Keyboard</source>
            <translation>键盘</translation>
        </message>
        <message>
            <source>Kind</source>
            <translation>类型</translation>
        </message>
        <message>
            <source>Kinds of samples; —: its files say</source>
            <translation>样本类别数；—：由其文件决定</translation>
        </message>
        <message>
            <source>Known hosts</source>
            <translation>已知主机</translation>
        </message>
        <message>
            <source>Labels</source>
            <translation>标签分布</translation>
        </message>
        <message>
            <source>labels</source>
            <translation>标签</translation>
        </message>
        <message>
            <source>lanes may be shifted against each other by %1 at most</source>
            <translation>泳道之间最多可能错开 %1</translation>
        </message>
        <message>
            <source>Language</source>
            <translation>语言</translation>
        </message>
        <message>
            <source>Large</source>
            <translation>大</translation>
        </message>
        <message>
            <source>Larger</source>
            <translation>更大</translation>
        </message>
        <message>
            <source>Last</source>
            <translation>最后一个</translation>
        </message>
        <message>
            <source>Last accuracy</source>
            <translation>最终准确率</translation>
        </message>
        <message>
            <source>last accuracy</source>
            <translation>最终准确率</translation>
        </message>
        <message>
            <source>Last accuracy (%)</source>
            <translation>最终准确率 (%)</translation>
        </message>
        <message>
            <source>Last loss</source>
            <translation>最终损失</translation>
        </message>
        <message>
            <source>Last test accuracy</source>
            <translation>最近测试准确率</translation>
        </message>
        <message>
            <source>Latency ms</source>
            <translation>延迟 ms</translation>
        </message>
        <message>
            <source>Later by one</source>
            <translation>推后一位</translation>
        </message>
        <message>
            <source>Learning problem</source>
            <translation>学习问题</translation>
        </message>
        <message>
            <source>Leave out</source>
            <translation>排除</translation>
        </message>
        <message>
            <source>Left  Right</source>
            <translation>左  右</translation>
        </message>
        <message>
            <source>left out, they vary too: %1</source>
            <translation>略去同样变化的：%1</translation>
        </message>
        <message>
            <source>Less</source>
            <translation>收起</translation>
        </message>
        <message>
            <source>less than 0.1 s</source>
            <translation>不到 0.1 s</translation>
        </message>
        <message>
            <source>let slow and fast steps even out over %1</source>
            <translation>让快慢不一的步在 %1 内相互抵消</translation>
        </message>
        <message>
            <source>let the others take more steps meanwhile (ESync)</source>
            <translation>让其他节点在此期间多走几步（ESync）</translation>
        </message>
        <message>
            <source>let workers wait for each other less often</source>
            <translation>让工作节点少互相等待</translation>
        </message>
        <message>
            <source>LibTorch</source>
            <translation>LibTorch</translation>
        </message>
        <message>
            <source>LibTorch folder</source>
            <translation>LibTorch 文件夹</translation>
        </message>
        <message>
            <source>Light</source>
            <translation>浅色</translation>
        </message>
        <message>
            <source>Links</source>
            <translation>链路</translation>
        </message>
        <message>
            <source>Links are counted when the run ends, or in each so many rounds as the document says</source>
            <translation>链路在运行结束时计数，或按文档每隔若干轮计数</translation>
        </message>
        <message>
            <source>links as the document emulates them</source>
            <translation>链路按文档的模拟</translation>
        </message>
        <message>
            <source>Links between hosts</source>
            <translation>主机间链路</translation>
        </message>
        <message>
            <source>links between hosts as measured</source>
            <translation>主机间链路按实测</translation>
        </message>
        <message>
            <source>Links…</source>
            <translation>链路…</translation>
        </message>
        <message>
            <source>List its edges</source>
            <translation>列出其边</translation>
        </message>
        <message>
            <source>List of addresses</source>
            <translation>地址列表</translation>
        </message>
        <message>
            <source>Load</source>
            <translation>负载</translation>
        </message>
        <message>
            <source>Load a profile…</source>
            <translation>载入配置…</translation>
        </message>
        <message>
            <source>Load now</source>
            <translation>当前负载</translation>
        </message>
        <message>
            <source>local</source>
            <translation>本机</translation>
        </message>
        <message>
            <source>local SGD</source>
            <translation>本地 SGD</translation>
        </message>
        <message>
            <source>Local steps</source>
            <translation>本地步数</translation>
        </message>
        <message>
            <source>local steps</source>
            <translation>本地步数</translation>
        </message>
        <message>
            <source>Local steps of the first worker between two exchanges</source>
            <translation>两次交换之间第一个工作节点的本地步数</translation>
        </message>
        <message>
            <source>Local steps per round</source>
            <translation>每轮本地步数</translation>
        </message>
        <message>
            <source>Log</source>
            <translation>日志</translation>
        </message>
        <message>
            <source>log entries per round</source>
            <translation>每轮日志条数</translation>
        </message>
        <message>
            <source>Logarithmic x</source>
            <translation>x 轴取对数</translation>
        </message>
        <message>
            <source>Logarithmic y</source>
            <translation>y 轴取对数</translation>
        </message>
        <message>
            <source>Login</source>
            <translation>登录</translation>
        </message>
        <message>
            <source>Logs of ESync, a data set, or a folder of several files</source>
            <translation>ESync 日志、数据集，或含多个文件的文件夹</translation>
        </message>
        <message>
            <source>Look</source>
            <translation>外观</translation>
        </message>
        <message>
            <source>Look</source>
            <comment>at the disk</comment>
            <translation>查看</translation>
        </message>
        <message>
            <source>Loss is no number</source>
            <translation>损失不是数值</translation>
        </message>
        <message>
            <source>Loss of the evaluations</source>
            <translation>评估的损失</translation>
        </message>
        <message>
            <source>Lost after rounds</source>
            <translation>丢失前的轮数</translation>
        </message>
        <message>
            <source>made from the seed</source>
            <translation>由种子生成</translation>
        </message>
        <message>
            <source>Makes the store's file smaller; nothing recorded goes</source>
            <translation>缩小存储库文件；不会丢失任何记录</translation>
        </message>
        <message>
            <source>making shares equal</source>
            <translation>均分份额</translation>
        </message>
        <message>
            <source>making shares sum to 1</source>
            <translation>使份额之和为 1</translation>
        </message>
        <message>
            <source>Manual</source>
            <translation>手册</translation>
        </message>
        <message>
            <source>Manual: %1</source>
            <translation>手册：%1</translation>
        </message>
        <message>
            <source>MB per second</source>
            <translation>每秒 MB</translation>
        </message>
        <message>
            <source>MB received</source>
            <translation>已接收 MB</translation>
        </message>
        <message>
            <source>MBytes per second</source>
            <translation>每秒 MB</translation>
        </message>
        <message>
            <source>mean over all rounds of all workers, on the wire, in powers of ten</source>
            <translation>所有工作节点所有轮次的均值，线上实测，十进制单位</translation>
        </message>
        <message>
            <source>Measure links</source>
            <translation>测量链路</translation>
        </message>
        <message>
            <source>Measured</source>
            <translation>测量结果</translation>
        </message>
        <message>
            <source>Measuring: %1 of %2 links</source>
            <translation>正在测量：%1 / %2 条链路</translation>
        </message>
        <message>
            <source>Memory</source>
            <translation>内存</translation>
        </message>
        <message>
            <source>memory %1 of %2</source>
            <translation>内存 %1 / %2</translation>
        </message>
        <message>
            <source>Menu</source>
            <translation>菜单键</translation>
        </message>
        <message>
            <source>Messages</source>
            <translation>消息</translation>
        </message>
        <message>
            <source>messages as if they took no time: no link was measured</source>
            <translation>消息视为不耗时：未测量链路</translation>
        </message>
        <message>
            <source>messages of %1 ms each at %2 Gbit/s: no link was measured</source>
            <translation>每条消息 %1 ms，速率 %2 Gbit/s：尚未测量链路</translation>
        </message>
        <message>
            <source>Method</source>
            <translation>方法</translation>
        </message>
        <message>
            <source>metrics</source>
            <translation>指标</translation>
        </message>
        <message>
            <source>Minutes</source>
            <translation>分钟</translation>
        </message>
        <message>
            <source>missing</source>
            <translation>缺失</translation>
        </message>
        <message>
            <source>Model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>Models</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>Modern</source>
            <translation>现代</translation>
        </message>
        <message>
            <source>Momentum</source>
            <translation>动量</translation>
        </message>
        <message>
            <source>More</source>
            <translation>更多</translation>
        </message>
        <message>
            <source>more than 1000 seeds would be needed</source>
            <translation>需要 1000 个以上的种子</translation>
        </message>
        <message>
            <source>More: %1</source>
            <translation>更多：%1</translation>
        </message>
        <message>
            <source>Move along; so does Shift with the wheel</source>
            <translation>平移；Shift 加滚轮亦可</translation>
        </message>
        <message>
            <source>move it to an evaluator</source>
            <translation>将其移到评估节点</translation>
        </message>
        <message>
            <source>Move its lower end</source>
            <translation>移动其下端</translation>
        </message>
        <message>
            <source>Move its upper end</source>
            <translation>移动其上端</translation>
        </message>
        <message>
            <source>Move the selected %1 to</source>
            <translation>将所选 %1 个移到</translation>
        </message>
        <message>
            <source>Move the selected nodes to the next host</source>
            <translation>将所选节点移到相邻主机</translation>
        </message>
        <message>
            <source>move them to an evaluator</source>
            <translation>将它们移到评估节点</translation>
        </message>
        <message>
            <source>Move to</source>
            <translation>移到</translation>
        </message>
        <message>
            <source>Move to &amp;trash</source>
            <translation>移到回收站(&amp;T)</translation>
        </message>
        <message>
            <source>Move to the trash (Del)</source>
            <translation>移到回收站（Del）</translation>
        </message>
        <message>
            <source>Moved %1 to the trash</source>
            <translation>已将 %1 移到回收站</translation>
        </message>
        <message>
            <source>Moves the runs of the sample project to the trash; Open a sample project brings them back</source>
            <translation>将示例项目的运行移到回收站；“打开示例项目”可将其找回</translation>
        </message>
        <message>
            <source>moving %1 to %2</source>
            <translation>将 %1 移到 %2</translation>
        </message>
        <message>
            <source>moving %1 to the trash</source>
            <translation>将 %1 移到回收站</translation>
        </message>
        <message>
            <source>MPI hostfile</source>
            <translation>MPI hostfile</translation>
        </message>
        <message>
            <source>MXNet-G hosts</source>
            <translation>MXNet-G hosts</translation>
        </message>
        <message>
            <source>Name</source>
            <translation>名称</translation>
        </message>
        <message>
            <source>Name of the number</source>
            <translation>数值名称</translation>
        </message>
        <message>
            <source>Name of the present view</source>
            <translation>当前视图的名称</translation>
        </message>
        <message>
            <source>Name the present view, Enter saves it</source>
            <translation>为当前视图命名，按 Enter 保存</translation>
        </message>
        <message>
            <source>NAME=VALUE, one a line; nothing secret: it is kept in the list of hosts</source>
            <translation>NAME=VALUE，每行一个；勿填机密：它会保存在主机列表中</translation>
        </message>
        <message>
            <source>Narrow</source>
            <translation>收窄</translation>
        </message>
        <message>
            <source>Narrow (Ctrl+B)</source>
            <translation>收窄（Ctrl+B）</translation>
        </message>
        <message>
            <source>NCCL</source>
            <translation>NCCL</translation>
        </message>
        <message>
            <source>Needs a node with the role evaluator: without one the coordinator evaluates</source>
            <translation>需要一个角色为评估节点的节点：否则由协调节点评估</translation>
        </message>
        <message>
            <source>Nesterov</source>
            <translation>Nesterov</translation>
        </message>
        <message>
            <source>Network</source>
            <translation>网络</translation>
        </message>
        <message>
            <source>never</source>
            <translation>从未</translation>
        </message>
        <message>
            <source>never began.</source>
            <translation>从未开始。</translation>
        </message>
        <message>
            <source>New experiment</source>
            <translation>新建实验</translation>
        </message>
        <message>
            <source>Newest copy: %1</source>
            <translation>最新副本：%1</translation>
        </message>
        <message>
            <source>Next hint</source>
            <translation>下一条提示</translation>
        </message>
        <message>
            <source>Next problem</source>
            <translation>下一个问题</translation>
        </message>
        <message>
            <source>no</source>
            <translation>否</translation>
        </message>
        <message>
            <source>no accuracy</source>
            <translation>没有准确率</translation>
        </message>
        <message>
            <source>No accuracy is marked as the best: the stop rules of these runs differ or are not known, or a run did not reach its own.</source>
            <translation>未将任何准确率标为最优：这些运行的停止规则不同或未知，或有运行未达到自身的规则。</translation>
        </message>
        <message>
            <source>no band</source>
            <translation>没有区间</translation>
        </message>
        <message>
            <source>no checksum is known</source>
            <translation>无已知校验和</translation>
        </message>
        <message>
            <source>no consensus distance recorded</source>
            <translation>未记录一致性距离</translation>
        </message>
        <message>
            <source>No copy in this folder yet</source>
            <translation>此文件夹中还没有副本</translation>
        </message>
        <message>
            <source>no data</source>
            <translation>无数据</translation>
        </message>
        <message>
            <source>No data set matches</source>
            <translation>没有匹配的数据集</translation>
        </message>
        <message>
            <source>No document can say this: %1</source>
            <translation>文档无法表达此项：%1</translation>
        </message>
        <message>
            <source>no edges recorded</source>
            <translation>未记录边</translation>
        </message>
        <message>
            <source>no end is chosen of which the address or the command would hear: target, failed, suite</source>
            <translation>没有选择要通知网址或命令的结束：达到目标、失败、实验组结束</translation>
        </message>
        <message>
            <source>no evaluations</source>
            <translation>没有评估</translation>
        </message>
        <message>
            <source>no field of these runs' documents varies</source>
            <translation>这些运行的文档没有变化的字段</translation>
        </message>
        <message>
            <source>No file is chosen</source>
            <translation>未选择文件</translation>
        </message>
        <message>
            <source>No file is followed</source>
            <translation>没有跟踪任何文件</translation>
        </message>
        <message>
            <source>no findings</source>
            <translation>没有问题</translation>
        </message>
        <message>
            <source>No further run begins; those under way go on</source>
            <translation>不再开始新的运行；进行中的继续</translation>
        </message>
        <message>
            <source>No host matches</source>
            <translation>没有匹配的主机</translation>
        </message>
        <message>
            <source>no link of %1 is recorded: it is of an earlier version, or its nodes ended before they told</source>
            <translation>没有 %1 的链路记录：它来自较早的版本，或其节点在报告之前就结束了</translation>
        </message>
        <message>
            <source>No links measured</source>
            <translation>尚未测量链路</translation>
        </message>
        <message>
            <source>no longer varying %1</source>
            <translation>%1 不再取多个值</translation>
        </message>
        <message>
            <source>No norms are recorded</source>
            <translation>没有记录范数</translation>
        </message>
        <message>
            <source>no point has a place on a logarithmic axis</source>
            <translation>没有可在对数轴上表示的点</translation>
        </message>
        <message>
            <source>no point is a finite number</source>
            <translation>没有有限值的点</translation>
        </message>
        <message>
            <source>no published script draws it: as measured</source>
            <translation>没有发表的脚本绘制它：按实测</translation>
        </message>
        <message>
            <source>no published script draws it: the same as corrected</source>
            <translation>没有发表的脚本绘制它：与修正版相同</translation>
        </message>
        <message>
            <source>no published script draws the loss: measured values in the published look</source>
            <translation>没有发表的脚本绘制损失：以发表版外观显示实测值</translation>
        </message>
        <message>
            <source>no rounds recorded</source>
            <translation>未记录轮次</translation>
        </message>
        <message>
            <source>no run has a partition that is not i.i.d.</source>
            <translation>没有非独立同分布划分的运行</translation>
        </message>
        <message>
            <source>no run has a result</source>
            <translation>没有运行有结果</translation>
        </message>
        <message>
            <source>No run has all of these words and that state.</source>
            <translation>没有运行同时符合这些词语和该状态。</translation>
        </message>
        <message>
            <source>no run of %1 to compare with</source>
            <translation>没有可比较的 %1 运行</translation>
        </message>
        <message>
            <source>no run of a sparse method</source>
            <translation>没有稀疏方法的运行</translation>
        </message>
        <message>
            <source>no run of ESync, SSGD, ASGD or DC-ASGD</source>
            <translation>没有 ESync、SSGD、ASGD 或 DC-ASGD 的运行</translation>
        </message>
        <message>
            <source>no run of several workers with rounds</source>
            <translation>没有多工作节点且有轮次记录的运行</translation>
        </message>
        <message>
            <source>no run of SSGD: the reference is %1, the slowest to reach the target</source>
            <translation>没有 SSGD 的运行：以最慢达到目标的 %1 为参照</translation>
        </message>
        <message>
            <source>no run reached accuracy %1</source>
            <translation>没有运行达到准确率 %1</translation>
        </message>
        <message>
            <source>no run recorded a value for it</source>
            <translation>没有运行记录其数值</translation>
        </message>
        <message>
            <source>no run recorded how many samples its workers train on, so an epoch is not known</source>
            <translation>没有运行记录工作节点的训练样本数，因此周期未知</translation>
        </message>
        <message>
            <source>no run that recorded edges (decentralised methods do)</source>
            <translation>没有记录边的运行（去中心化方法会记录）</translation>
        </message>
        <message>
            <source>no run that records norms</source>
            <translation>没有记录范数的运行</translation>
        </message>
        <message>
            <source>no run whose workers' labels were recorded</source>
            <translation>没有记录工作节点标签的运行</translation>
        </message>
        <message>
            <source>no run with %1; recorded: %2</source>
            <translation>没有含 %1 的运行；已记录：%2</translation>
        </message>
        <message>
            <source>no run with a consensus distance</source>
            <translation>没有含一致性距离的运行</translation>
        </message>
        <message>
            <source>no run with a metric of its method's own</source>
            <translation>没有含方法自有指标的运行</translation>
        </message>
        <message>
            <source>no run with evaluations</source>
            <translation>没有含评估的运行</translation>
        </message>
        <message>
            <source>no run with rounds</source>
            <translation>没有含轮次记录的运行</translation>
        </message>
        <message>
            <source>no run with rounds whose document emulates a bandwidth</source>
            <translation>没有文档模拟带宽且有轮次记录的运行</translation>
        </message>
        <message>
            <source>no runs chosen</source>
            <translation>未选择运行</translation>
        </message>
        <message>
            <source>No runs yet</source>
            <translation>尚无运行</translation>
        </message>
        <message>
            <source>no samples to %1</source>
            <translation>没有用于%1的样本</translation>
        </message>
        <message>
            <source>No split to show</source>
            <translation>没有可显示的划分</translation>
        </message>
        <message>
            <source>no title</source>
            <translation>无标题</translation>
        </message>
        <message>
            <source>no workers recorded</source>
            <translation>未记录工作节点</translation>
        </message>
        <message>
            <source>no. %1</source>
            <translation>第 %1 个</translation>
        </message>
        <message>
            <source>no: %1 % above</source>
            <translation>否：高 %1 %</translation>
        </message>
        <message>
            <source>no: %1 % below</source>
            <translation>否：低 %1 %</translation>
        </message>
        <message>
            <source>nobody followed it</source>
            <translation>无人跟踪它</translation>
        </message>
        <message>
            <source>Nobody knows how long a step of %1 with batches of %2 takes on host %3: run it there once, or emulate a step time for %4</source>
            <translation>尚不知 %1 以批大小 %2 在主机 %3 上一步耗时多久：请在那里运行一次，或为 %4 模拟单步时间</translation>
        </message>
        <message>
            <source>Node</source>
            <translation>节点</translation>
        </message>
        <message>
            <source>Node %1</source>
            <translation>节点 %1</translation>
        </message>
        <message>
            <source>node %1 removed</source>
            <translation>移除了节点 %1</translation>
        </message>
        <message>
            <source>Node, round and time where it takes longest: double click or Enter shows it in the lanes</source>
            <translation>耗时最长的节点、轮次与时刻：双击或按 Enter 可在泳道中查看</translation>
        </message>
        <message>
            <source>Nodes</source>
            <translation>节点</translation>
        </message>
        <message>
            <source>nodes</source>
            <translation>节点</translation>
        </message>
        <message>
            <source>None</source>
            <translation>不分组</translation>
        </message>
        <message>
            <source>none</source>
            <translation>无</translation>
        </message>
        <message>
            <source>none needed: one host</source>
            <translation>无需保护：仅一台主机</translation>
        </message>
        <message>
            <source>None of %1 points came to its end.</source>
            <translation>%1 点均未到终点。</translation>
        </message>
        <message>
            <source>None of 1 point came to its end.</source>
            <translation>1 点未到终点。</translation>
        </message>
        <message>
            <source>norm of the gradient</source>
            <translation>梯度的范数</translation>
        </message>
        <message>
            <source>norm of the update</source>
            <translation>更新的范数</translation>
        </message>
        <message>
            <source>Normal</source>
            <translation>标准</translation>
        </message>
        <message>
            <source>Normalise</source>
            <translation>归一化</translation>
        </message>
        <message>
            <source>Norms of layers</source>
            <translation>各层的范数</translation>
        </message>
        <message>
            <source>Not checked</source>
            <translation>未检查</translation>
        </message>
        <message>
            <source>not checked</source>
            <translation>未检查</translation>
        </message>
        <message>
            <source>Not checked yet.</source>
            <translation>尚未检查。</translation>
        </message>
        <message>
            <source>Not connected: the key of this host is not trusted</source>
            <translation>未连接：此主机的密钥不受信任</translation>
        </message>
        <message>
            <source>not finite</source>
            <translation>非有限值</translation>
        </message>
        <message>
            <source>not found on this computer</source>
            <translation>本机未找到</translation>
        </message>
        <message>
            <source>Not here</source>
            <translation>没有</translation>
        </message>
        <message>
            <source>not in the list of hosts</source>
            <translation>不在主机列表中</translation>
        </message>
        <message>
            <source>not known</source>
            <translation>未知</translation>
        </message>
        <message>
            <source>not measured</source>
            <translation>未测量</translation>
        </message>
        <message>
            <source>not measured yet</source>
            <translation>尚未测量</translation>
        </message>
        <message>
            <source>not needed</source>
            <translation>不需要</translation>
        </message>
        <message>
            <source>not on this computer</source>
            <translation>不在本机</translation>
        </message>
        <message>
            <source>not predicted</source>
            <translation>未预测</translation>
        </message>
        <message>
            <source>not reached</source>
            <translation>未达到</translation>
        </message>
        <message>
            <source>not reached by %1</source>
            <translation>%1 未达到</translation>
        </message>
        <message>
            <source>not reached by %1 of %2</source>
            <translation>%2 中有 %1 个未达到</translation>
        </message>
        <message>
            <source>not run</source>
            <translation>未运行</translation>
        </message>
        <message>
            <source>Notes</source>
            <translation>备注</translation>
        </message>
        <message>
            <source>Notes differ; what is written here is added to each</source>
            <translation>备注各不相同；此处所写内容会追加到每个运行</translation>
        </message>
        <message>
            <source>Notes of all %1</source>
            <translation>全部 %1 个运行的备注</translation>
        </message>
        <message>
            <source>nothing</source>
            <translation>无</translation>
        </message>
        <message>
            <source>Nothing in the manual has all of these words.</source>
            <translation>手册中没有同时包含这些词的内容。</translation>
        </message>
        <message>
            <source>Nothing is called "%1"</source>
            <translation>没有名为“%1”的内容</translation>
        </message>
        <message>
            <source>Nothing is drawn.</source>
            <translation>没有绘制任何内容。</translation>
        </message>
        <message>
            <source>Nothing matches</source>
            <translation>没有匹配项</translation>
        </message>
        <message>
            <source>Nothing to draw yet</source>
            <translation>暂无可绘制的内容</translation>
        </message>
        <message>
            <source>nothing to draw: %1</source>
            <translation>无内容可绘：%1</translation>
        </message>
        <message>
            <source>Nothing to export: %1.</source>
            <translation>没有可导出的内容：%1。</translation>
        </message>
        <message>
            <source>Nothing to export: no run is ticked.</source>
            <translation>没有可导出的内容：未勾选任何运行。</translation>
        </message>
        <message>
            <source>Nothing to export: the report has no text.</source>
            <translation>没有可导出的内容：报告没有文本。</translation>
        </message>
        <message>
            <source>Nothing was measured yet: check the host.</source>
            <translation>尚未测量：请检查主机。</translation>
        </message>
        <message>
            <source>Nothing was tried.</source>
            <translation>什么也没有尝试。</translation>
        </message>
        <message>
            <source>Nothing: whole runs</source>
            <translation>不截断：完整运行</translation>
        </message>
        <message>
            <source>Notices</source>
            <translation>通知</translation>
        </message>
        <message>
            <source>notices</source>
            <translation>通知</translation>
        </message>
        <message>
            <source>Now</source>
            <translation>当前</translation>
        </message>
        <message>
            <source>now %1, between %2 and %3</source>
            <translation>当前 %1，介于 %2 与 %3 之间</translation>
        </message>
        <message>
            <source>Number</source>
            <translation>数值</translation>
        </message>
        <message>
            <source>Number of groups; empty: as many as fit the speeds best</source>
            <translation>组数；留空：取最符合速度分布的组数</translation>
        </message>
        <message>
            <source>number of workers</source>
            <translation>工作节点数</translation>
        </message>
        <message>
            <source>Of a round, on the mean of all rounds</source>
            <translation>每轮的陈旧度，所有轮的平均</translation>
        </message>
        <message>
            <source>Of its threads on its host as last measured, against the fastest worker; emulated slowdown counts</source>
            <translation>按最近一次测量，其线程在所在主机上的速度与最快工作节点之比；计入模拟的减速</translation>
        </message>
        <message>
            <source>Of messages that crossed memory of one host</source>
            <translation>经过同一主机内存的消息</translation>
        </message>
        <message>
            <source>Of one job, which start together: NAME0 and on; empty: one host with a job of its own</source>
            <translation>同一个作业的节点数，一同启动：名称0、名称1……；留空：一台主机，自成一个作业</translation>
        </message>
        <message>
            <source>Of that host</source>
            <translation>该主机的设备</translation>
        </message>
        <message>
            <source>of the coordinator</source>
            <translation>协调节点的轮数</translation>
        </message>
        <message>
            <source>Of the copies in the folder the newest stay, older ones go</source>
            <translation>文件夹中只留最新的副本，较旧的删除</translation>
        </message>
        <message>
            <source>Of the last check</source>
            <translation>最近一次检查的结果</translation>
        </message>
        <message>
            <source>Of the shell; $1 is what happened (target, failed, suite), $2 the run, $3 its name</source>
            <translation>shell 命令；$1 为事件（target、failed、suite），$2 为运行，$3 为其名称</translation>
        </message>
        <message>
            <source>Of the stop rule that ends first</source>
            <translation>以最先达到的停止规则计</translation>
        </message>
        <message>
            <source>Of the two-second compute benchmark, all cores</source>
            <translation>两秒计算基准测试所得，使用全部核心</translation>
        </message>
        <message>
            <source>Of the wall time; causes overlap, so that their shares can add up to more than all of it</source>
            <translation>占总时长的比例；各原因会重叠，因此占比之和可能超过 100 %</translation>
        </message>
        <message>
            <source>Of the wall time; where workers do not wait for each other, the mean of a worker</source>
            <translation>总时长中的秒数；工作节点互不等待时为每个工作节点的平均值</translation>
        </message>
        <message>
            <source>of this long run only its newest rounds were looked at, those after %1 s</source>
            <translation>此运行较长，仅查看了 %1 s 之后的最新轮次</translation>
        </message>
        <message>
            <source>of training</source>
            <translation>训练时间</translation>
        </message>
        <message>
            <source>of unknown size</source>
            <translation>大小未知</translation>
        </message>
        <message>
            <source>of virtual time</source>
            <translation>虚拟时间</translation>
        </message>
        <message>
            <source>Of whole messages, as the receiver counted</source>
            <translation>整条消息，按接收方计数</translation>
        </message>
        <message>
            <source>Of whole messages, as the sender counted</source>
            <translation>整条消息，按发送方计数</translation>
        </message>
        <message>
            <source>Off</source>
            <translation>偏差</translation>
        </message>
        <message>
            <source>off</source>
            <translation>关</translation>
        </message>
        <message>
            <source>Offset</source>
            <translation>偏移</translation>
        </message>
        <message>
            <source>old</source>
            <translation>旧版本</translation>
        </message>
        <message>
            <source>on</source>
            <translation>开</translation>
        </message>
        <message>
            <source>on %1 as the hosts' measured speeds say</source>
            <translation>在 %1 上按主机实测速度</translation>
        </message>
        <message>
            <source>On disk</source>
            <translation>占用磁盘</translation>
        </message>
        <message>
            <source>On the host; empty: the system's, else a bundle is sent</source>
            <translation>主机上的路径；留空：使用系统自带的，否则发送打包版本</translation>
        </message>
        <message>
            <source>One figure</source>
            <translation>单幅图</translation>
        </message>
        <message>
            <source>one point a line: the %1 does not vary between runs that are alike otherwise</source>
            <translation>每条线只有一个点：在其他方面相同的运行之间，%1没有变化</translation>
        </message>
        <message>
            <source>One run for each: 1, 2, 3 or 1-5</source>
            <translation>每个种子一个运行：1, 2, 3 或 1-5</translation>
        </message>
        <message>
            <source>one run: no field varies</source>
            <translation>仅一个运行：没有变化的字段</translation>
        </message>
        <message>
            <source>one seed of a configuration is drawn</source>
            <translation>每种配置只绘一个种子</translation>
        </message>
        <message>
            <source>One SQLite file holds every run. The terminal's paceline reads and writes the same file.</source>
            <translation>所有运行保存在一个 SQLite 文件中。终端的 paceline 读写同一文件。</translation>
        </message>
        <message>
            <source>one step in every round</source>
            <translation>每轮一步</translation>
        </message>
        <message>
            <source>Only of the runs of %1: those of %2 have their own in the document.</source>
            <translation>仅适用于 %1 的运行：%2 的运行在文档中有各自的值。</translation>
        </message>
        <message>
            <source>Only the runs within the chosen parts stay in the comparison</source>
            <translation>只保留所选区间内的运行进行对比</translation>
        </message>
        <message>
            <source>Open</source>
            <translation>打开</translation>
        </message>
        <message>
            <source>Open a report</source>
            <translation>打开报告</translation>
        </message>
        <message>
            <source>Open a sample project</source>
            <translation>打开示例项目</translation>
        </message>
        <message>
            <source>Open an experiment document</source>
            <translation>打开实验文档</translation>
        </message>
        <message>
            <source>Open another store…</source>
            <translation>打开其他存储库…</translation>
        </message>
        <message>
            <source>Open or create</source>
            <translation>打开或新建</translation>
        </message>
        <message>
            <source>Open or create a store</source>
            <translation>打开或新建存储库</translation>
        </message>
        <message>
            <source>Opened %1 in the place of your draft</source>
            <translation>已打开 %1，替换了您的草稿</translation>
        </message>
        <message>
            <source>Opened %1, %2.</source>
            <translation>已打开 %1，%2。</translation>
        </message>
        <message>
            <source>opening %1</source>
            <translation>打开 %1</translation>
        </message>
        <message>
            <source>Opens a copy of this run's document: %1. The run and its document stay as they are.</source>
            <translation>打开此运行文档的副本：%1。运行及其文档保持不变。</translation>
        </message>
        <message>
            <source>Open…</source>
            <translation>打开…</translation>
        </message>
        <message>
            <source>Optimizer</source>
            <translation>优化器</translation>
        </message>
        <message>
            <source>or after</source>
            <translation>或停止于</translation>
        </message>
        <message>
            <source>or at</source>
            <translation>或达到</translation>
        </message>
        <message>
            <source>or without a better one for</source>
            <translation>或连续没有更好的次数</translation>
        </message>
        <message>
            <source>Other samples</source>
            <translation>换一批样本</translation>
        </message>
        <message>
            <source>other work took %1 of its %2 CPUs</source>
            <translation>其他工作占用 %2 个 CPU 中的 %1 个</translation>
        </message>
        <message>
            <source>other work took %1 of its 1 CPU</source>
            <translation>其他工作占用 1 个 CPU 中的 %1 个</translation>
        </message>
        <message>
            <source>Ours</source>
            <translation>我们的</translation>
        </message>
        <message>
            <source>Ours / published</source>
            <translation>我们的 / 发表值</translation>
        </message>
        <message>
            <source>Over all but this computer</source>
            <translation>分布到除本机外的所有主机</translation>
        </message>
        <message>
            <source>Over all hosts without a problem</source>
            <translation>分布到所有没有问题的主机</translation>
        </message>
        <message>
            <source>Over the hosts with nodes now</source>
            <translation>分布到目前有节点的主机</translation>
        </message>
        <message>
            <source>Overlap</source>
            <translation>计算与通信重叠</translation>
        </message>
        <message>
            <source>Paceline %1, a workbench for distributed training on machines of unequal speed. Licence: GPL-3.0-or-later. Qt %2, QCustomPlot.</source>
            <translation>Paceline %1，面向异构速度机器的分布式训练工作台。许可证：GPL-3.0-or-later。Qt %2，QCustomPlot。</translation>
        </message>
        <message>
            <source>Paceline stores (*.db)</source>
            <translation>Paceline 存储库 (*.db)</translation>
        </message>
        <message>
            <source>Paceline's own</source>
            <translation>Paceline 自带</translation>
        </message>
        <message>
            <source>Page of a run</source>
            <translation>运行页面</translation>
        </message>
        <message>
            <source>Parallel coordinates</source>
            <translation>平行坐标</translation>
        </message>
        <message>
            <source>Partition</source>
            <translation>数据划分</translation>
        </message>
        <message>
            <source>Partitions</source>
            <translation>划分方式</translation>
        </message>
        <message>
            <source>parts of a whole have no place on a log axis: the axis is linear</source>
            <translation>整体的各部分无法在对数轴上表示：使用线性轴</translation>
        </message>
        <message>
            <source>Pauses its waiting runs until Go</source>
            <translation>暂停其等待中的运行，直至放行</translation>
        </message>
        <message>
            <source>Pauses waiting runs until Go: those that are selected, else all (Space)</source>
            <translation>暂停等待中的运行，直至放行：所选的，否则全部（空格）</translation>
        </message>
        <message>
            <source>PDF (*.pdf);;SVG (*.svg);;PNG (*.png)</source>
            <translation>PDF (*.pdf);;SVG (*.svg);;PNG (*.png)</translation>
        </message>
        <message>
            <source>PDF, HTML in one file, or LaTeX (Ctrl+Return)</source>
            <translation>PDF、单文件 HTML 或 LaTeX (Ctrl+Return)</translation>
        </message>
        <message>
            <source>Phases of the time use</source>
            <translation>时间用途的各阶段</translation>
        </message>
        <message>
            <source>Pick runs to compare</source>
            <translation>选择要对比的运行</translation>
        </message>
        <message>
            <source>Picture of the topology</source>
            <translation>拓扑图</translation>
        </message>
        <message>
            <source>Place</source>
            <translation>位置</translation>
        </message>
        <message>
            <source>Placement of nodes on hosts</source>
            <translation>节点在主机上的放置</translation>
        </message>
        <message>
            <source>PNG, SVG or PDF in the size at the right (Ctrl+Return)</source>
            <translation>按右侧尺寸导出 PNG、SVG 或 PDF（Ctrl+Return）</translation>
        </message>
        <message>
            <source>Point</source>
            <translation>点</translation>
        </message>
        <message>
            <source>Point %1 (%2): %3</source>
            <translation>第 %1 点（%2）：%3</translation>
        </message>
        <message>
            <source>Point %1. %2</source>
            <translation>第 %1 点。%2</translation>
        </message>
        <message>
            <source>Points that were tried</source>
            <translation>已尝试的点</translation>
        </message>
        <message>
            <source>Port</source>
            <translation>端口</translation>
        </message>
        <message>
            <source>predicted</source>
            <translation>预测</translation>
        </message>
        <message>
            <source>Predicted %1 samples/s</source>
            <translation>预测 %1 样本/秒</translation>
        </message>
        <message>
            <source>Predicted %1 samples/s, measured %2</source>
            <translation>预测 %1 样本/秒，实测 %2</translation>
        </message>
        <message>
            <source>Predicted by %1.</source>
            <translation>预测依据：%1。</translation>
        </message>
        <message>
            <source>Predicted timeline of the first rounds</source>
            <translation>前几轮的预测时间线</translation>
        </message>
        <message>
            <source>Prediction</source>
            <translation>预测</translation>
        </message>
        <message>
            <source>Problem</source>
            <translation>问题</translation>
        </message>
        <message>
            <source>Problems</source>
            <translation>有问题</translation>
        </message>
        <message>
            <source>Profiles of imports (*.json)</source>
            <translation>导入配置 (*.json)</translation>
        </message>
        <message>
            <source>Programs and disk</source>
            <translation>程序与磁盘</translation>
        </message>
        <message>
            <source>Progress</source>
            <translation>进度</translation>
        </message>
        <message>
            <source>Protection</source>
            <translation>数据保护</translation>
        </message>
        <message>
            <source>Published</source>
            <translation>发表版</translation>
        </message>
        <message>
            <source>published</source>
            <translation>发表值</translation>
        </message>
        <message>
            <source>Published values beside ours</source>
            <translation>发表值与我们的值对照</translation>
        </message>
        <message>
            <source>published values by the script's formula are in the published variant</source>
            <translation>按脚本公式的发表值见发表版</translation>
        </message>
        <message>
            <source>published values that were measured are in the corrected variant</source>
            <translation>实测的发表值见修正版</translation>
        </message>
        <message>
            <source>published: %1</source>
            <translation>发表值：%1</translation>
        </message>
        <message>
            <source>Published: what papers report of these runs, beside what they gave</source>
            <translation>发表版：论文报告的结果与这些运行的结果对照</translation>
        </message>
        <message>
            <source>Put back</source>
            <translation>放回</translation>
        </message>
        <message>
            <source>Puts the nodes on hosts in turn</source>
            <translation>依次将节点放到各主机</translation>
        </message>
        <message>
            <source>putting %1 on %2</source>
            <translation>将 %1 放到 %2</translation>
        </message>
        <message>
            <source>Quantity</source>
            <translation>量</translation>
        </message>
        <message>
            <source>query</source>
            <translation>查询</translation>
        </message>
        <message>
            <source>Queue</source>
            <translation>队列</translation>
        </message>
        <message>
            <source>Quit</source>
            <translation>退出</translation>
        </message>
        <message>
            <source>Quit Paceline</source>
            <translation>退出 Paceline</translation>
        </message>
        <message>
            <source>Random</source>
            <translation>随机</translation>
        </message>
        <message>
            <source>random</source>
            <translation>随机</translation>
        </message>
        <message>
            <source>Rate schedule</source>
            <translation>学习率调度</translation>
        </message>
        <message>
            <source>Re&amp;port</source>
            <translation>报告(&amp;P)</translation>
        </message>
        <message>
            <source>Reachable</source>
            <translation>可达</translation>
        </message>
        <message>
            <source>reached its accuracy</source>
            <translation>达到目标准确率</translation>
        </message>
        <message>
            <source>reached its rounds</source>
            <translation>达到轮数</translation>
        </message>
        <message>
            <source>reached its samples</source>
            <translation>达到样本数</translation>
        </message>
        <message>
            <source>reached its time</source>
            <translation>达到时间</translation>
        </message>
        <message>
            <source>Read again</source>
            <translation>重新读取</translation>
        </message>
        <message>
            <source>Read an experiment document</source>
            <translation>读取实验文档</translation>
        </message>
        <message>
            <source>Read workers and edges</source>
            <translation>读取工作节点与边</translation>
        </message>
        <message>
            <source>Reading</source>
            <translation>正在读取</translation>
        </message>
        <message>
            <source>Reading the records…</source>
            <translation>正在读取记录…</translation>
        </message>
        <message>
            <source>Reading the store</source>
            <translation>正在读取存储库</translation>
        </message>
        <message>
            <source>reading workers and edges from %1</source>
            <translation>从 %1 读取工作节点与边</translation>
        </message>
        <message>
            <source>Ready</source>
            <translation>就绪</translation>
        </message>
        <message>
            <source>ready</source>
            <translation>就绪</translation>
        </message>
        <message>
            <source>Ready to run.</source>
            <translation>可以运行。</translation>
        </message>
        <message>
            <source>Ready to run. %1 is not on this computer; the hosts of its workers must have it.</source>
            <translation>可以运行。本机没有 %1；工作节点所在的主机必须有它。</translation>
        </message>
        <message>
            <source>receive</source>
            <translation>接收</translation>
        </message>
        <message>
            <source>Received</source>
            <translation>已接收</translation>
        </message>
        <message>
            <source>received</source>
            <translation>已接收</translation>
        </message>
        <message>
            <source>Record links every</source>
            <translation>链路记录间隔</translation>
        </message>
        <message>
            <source>Record norms every</source>
            <translation>记录范数间隔</translation>
        </message>
        <message>
            <source>Recorded by workers; what a server sends its workers receive</source>
            <translation>由工作节点记录；服务器发出的即工作节点收到的</translation>
        </message>
        <message>
            <source>recorded: %1; this is the first</source>
            <translation>已记录：%1；此为第一个</translation>
        </message>
        <message>
            <source>Records</source>
            <translation>记录数</translation>
        </message>
        <message>
            <source>Records before it…</source>
            <translation>此前的记录…</translation>
        </message>
        <message>
            <source>Records before the loss became no number</source>
            <translation>损失变为非数值之前的记录</translation>
        </message>
        <message>
            <source>Redo</source>
            <translation>重做</translation>
        </message>
        <message>
            <source>Remedy: samples/s</source>
            <translation>改进后：样本/秒</translation>
        </message>
        <message>
            <source>Remove</source>
            <translation>移除</translation>
        </message>
        <message>
            <source>Remove %1 waiting</source>
            <translation>移除等待中的 %1 个</translation>
        </message>
        <message>
            <source>Remove it</source>
            <translation>移除它</translation>
        </message>
        <message>
            <source>Remove old versions</source>
            <translation>移除旧版本</translation>
        </message>
        <message>
            <source>Removed host %1</source>
            <translation>已移除主机 %1</translation>
        </message>
        <message numerus="yes">
            <source>removing %n edge(s)</source>
            <translation>
                <numerusform>移除 %n 条边</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>removing %n node(s)</source>
            <translation>
                <numerusform>移除 %n 个节点</numerusform>
            </translation>
        </message>
        <message>
            <source>removing host %1</source>
            <translation>移除主机 %1</translation>
        </message>
        <message>
            <source>renaming "%1" to "%2"</source>
            <translation>将“%1”重命名为“%2”</translation>
        </message>
        <message>
            <source>Replace</source>
            <translation>替换</translation>
        </message>
        <message>
            <source>Replace %1? Another program has changed it since it was read here.</source>
            <translation>替换 %1？自上次读取以来，它已被其他程序修改。</translation>
        </message>
        <message>
            <source>Replace the report that is open? It is in no file; Ctrl+Z in its text brings it back.</source>
            <translation>要替换已打开的报告吗？它尚未存为文件；在文本中按 Ctrl+Z 可恢复。</translation>
        </message>
        <message>
            <source>Replace the report that is open? Its changes are not in %1; Ctrl+Z in its text brings them back.</source>
            <translation>要替换已打开的报告吗？其更改未保存到 %1；在文本中按 Ctrl+Z 可恢复。</translation>
        </message>
        <message>
            <source>Report</source>
            <translation>报告</translation>
        </message>
        <message>
            <source>Reports (*.md);;All files (*)</source>
            <translation>报告 (*.md);;所有文件 (*)</translation>
        </message>
        <message>
            <source>Restore</source>
            <translation>恢复</translation>
        </message>
        <message>
            <source>Restored %1</source>
            <translation>已恢复 %1</translation>
        </message>
        <message>
            <source>restoring %1</source>
            <translation>恢复 %1</translation>
        </message>
        <message>
            <source>Results</source>
            <translation>结果</translation>
        </message>
        <message>
            <source>Results table (LaTeX)</source>
            <translation>结果表（LaTeX）</translation>
        </message>
        <message>
            <source>Results table (Markdown)</source>
            <translation>结果表（Markdown）</translation>
        </message>
        <message>
            <source>Results, an experiment, or a list of hosts</source>
            <translation>结果、实验或主机列表</translation>
        </message>
        <message>
            <source>Resume</source>
            <translation>继续运行</translation>
        </message>
        <message>
            <source>Resume…</source>
            <translation>继续运行…</translation>
        </message>
        <message>
            <source>Role</source>
            <translation>角色</translation>
        </message>
        <message>
            <source>root of the mean over the workers of |w_i - mean|^2, at every evaluation of the mean</source>
            <translation>每次评估均值时，|w_i - 均值|^2 在工作节点上的平均的平方根</translation>
        </message>
        <message>
            <source>round</source>
            <translation>轮</translation>
        </message>
        <message>
            <source>round %1</source>
            <translation>第 %1 轮</translation>
        </message>
        <message>
            <source>Rounds</source>
            <translation>轮数</translation>
        </message>
        <message>
            <source>rounds</source>
            <translation>轮数</translation>
        </message>
        <message>
            <source>rounds %1 to %2</source>
            <translation>第 %1 至 %2 轮</translation>
        </message>
        <message>
            <source>Run</source>
            <translation>运行</translation>
        </message>
        <message>
            <source>run "%1" has no records of rounds yet: its state is %2</source>
            <translation>运行“%1”尚无轮次记录：其状态为%2</translation>
        </message>
        <message>
            <source>run "%1" has no records of rounds: its state is %2</source>
            <translation>运行“%1”没有轮次记录：其状态为%2</translation>
        </message>
        <message>
            <source>run "%1" was imported without its document: nobody knows what to change</source>
            <translation>运行“%1”导入时没有文档：无从得知该改什么</translation>
        </message>
        <message>
            <source>Run %1</source>
            <translation>运行 %1 个</translation>
        </message>
        <message>
            <source>Run again</source>
            <translation>再次运行</translation>
        </message>
        <message>
            <source>Run failed</source>
            <translation>运行失败</translation>
        </message>
        <message>
            <source>Run or suite</source>
            <translation>运行或实验组</translation>
        </message>
        <message>
            <source>Run search</source>
            <translation>运行搜索</translation>
        </message>
        <message>
            <source>Run the %1 missing</source>
            <translation>运行缺失的 %1 个</translation>
        </message>
        <message>
            <source>Run the missing one</source>
            <translation>运行缺失的一个</translation>
        </message>
        <message>
            <source>Running</source>
            <translation>运行中</translation>
        </message>
        <message>
            <source>running</source>
            <translation>运行中</translation>
        </message>
        <message>
            <source>running all combinations instead of searching</source>
            <translation>改为运行所有组合，而非搜索</translation>
        </message>
        <message>
            <source>Runs</source>
            <translation>运行</translation>
        </message>
        <message>
            <source>Runs and suites by size</source>
            <translation>按大小排列的运行与实验组</translation>
        </message>
        <message>
            <source>Runs of the suite</source>
            <translation>实验组中的运行</translation>
        </message>
        <message>
            <source>Runs that are left out</source>
            <translation>被排除的运行</translation>
        </message>
        <message>
            <source>Runs that are moved to the trash wait here until they are restored or deleted for ever.</source>
            <translation>移到回收站的运行保存在此，直到被恢复或永久删除。</translation>
        </message>
        <message>
            <source>runs that are not i.i.d. are in accuracy_non_iid</source>
            <translation>非独立同分布的运行见 accuracy_non_iid</translation>
        </message>
        <message>
            <source>Runs to compare</source>
            <translation>要对比的运行</translation>
        </message>
        <message>
            <source>sample</source>
            <translation>示例</translation>
        </message>
        <message>
            <source>Sample %1 to %2: %3</source>
            <translation>样本 %1（%2）：%3</translation>
        </message>
        <message>
            <source>Sample %1 to %2: target %3, input %4.</source>
            <translation>样本 %1（%2）：目标 %3，输入 %4。</translation>
        </message>
        <message>
            <source>Samples</source>
            <translation>样本</translation>
        </message>
        <message>
            <source>samples</source>
            <translation>样本数</translation>
        </message>
        <message>
            <source>Samples of each class</source>
            <translation>各类别的样本数</translation>
        </message>
        <message>
            <source>Samples of each class at each worker. JS distance: the mean Jensen-Shannon distance of a worker's classes from everyone's; 0 the same, 1 none in common.</source>
            <translation>各工作节点各类别的样本数。JS 距离：工作节点的类别分布与总体的平均 Jensen-Shannon 距离；0 为相同，1 为完全不同。</translation>
        </message>
        <message>
            <source>Samples of the shape that its files have.</source>
            <translation>样本形状由其文件决定。</translation>
        </message>
        <message>
            <source>Samples per second</source>
            <translation>每秒样本数</translation>
        </message>
        <message>
            <source>samples per second</source>
            <translation>每秒样本数</translation>
        </message>
        <message>
            <source>Samples to test on; —: its files say</source>
            <translation>测试样本数；—：由其文件决定</translation>
        </message>
        <message>
            <source>Samples to train on; —: its files say</source>
            <translation>训练样本数；—：由其文件决定</translation>
        </message>
        <message>
            <source>samples trained by all workers / wall time</source>
            <translation>所有工作节点训练的样本数 / 总时长</translation>
        </message>
        <message>
            <source>Samples/s</source>
            <translation>样本/秒</translation>
        </message>
        <message>
            <source>samples/s</source>
            <translation>样本/秒</translation>
        </message>
        <message>
            <source>Samples/s after the change over those before, as the simulator says with the measured times</source>
            <translation>改动后与改动前每秒样本数之比，由模拟器按实测时间给出</translation>
        </message>
        <message>
            <source>Samples/s by the script</source>
            <translation>样本/秒（按脚本）</translation>
        </message>
        <message>
            <source>samples/s of all workers over those of %1 (%2)</source>
            <translation>所有工作节点的样本/秒与 %1 之比（%2）</translation>
        </message>
        <message>
            <source>Samples: reading…</source>
            <translation>样本：正在读取…</translation>
        </message>
        <message>
            <source>Save</source>
            <translation>保存</translation>
        </message>
        <message>
            <source>Save as a profile…</source>
            <translation>保存为配置…</translation>
        </message>
        <message>
            <source>Save notes</source>
            <translation>保存备注</translation>
        </message>
        <message>
            <source>Save the experiment document</source>
            <translation>保存实验文档</translation>
        </message>
        <message>
            <source>Save the report's text</source>
            <translation>保存报告的文本</translation>
        </message>
        <message>
            <source>Save the report's text in another file</source>
            <translation>将报告的文本另存为其他文件</translation>
        </message>
        <message>
            <source>Save this figure as %1</source>
            <translation>将此图保存为 %1</translation>
        </message>
        <message>
            <source>Saved filters, orders and columns</source>
            <translation>保存的筛选、排序与列</translation>
        </message>
        <message>
            <source>Save…</source>
            <translation>保存…</translation>
        </message>
        <message>
            <source>Search</source>
            <translation>搜索</translation>
        </message>
        <message>
            <source>Search name, address, state, GPU</source>
            <translation>搜索名称、地址、状态、GPU</translation>
        </message>
        <message>
            <source>Search name, state, folder</source>
            <translation>搜索名称、状态、文件夹</translation>
        </message>
        <message>
            <source>Search name, tag, algorithm, model, data, state</source>
            <translation>搜索名称、标签、算法、模型、数据、状态</translation>
        </message>
        <message>
            <source>Search over %1: %2</source>
            <translation>在 %1 上搜索：%2</translation>
        </message>
        <message>
            <source>Search the manual</source>
            <translation>搜索手册</translation>
        </message>
        <message>
            <source>searching instead of running all combinations</source>
            <translation>改为搜索，而非运行所有组合</translation>
        </message>
        <message>
            <source>Searching, %1 tried</source>
            <translation>搜索中，已试 %1 个</translation>
        </message>
        <message>
            <source>Seconds</source>
            <translation>秒数</translation>
        </message>
        <message>
            <source>Seconds since 1970 (Unix time)</source>
            <translation>自 1970 年起的秒数（Unix 时间）</translation>
        </message>
        <message>
            <source>Seed</source>
            <translation>种子</translation>
        </message>
        <message>
            <source>seed</source>
            <translation>种子</translation>
        </message>
        <message>
            <source>seed %1</source>
            <translation>种子 %1</translation>
        </message>
        <message>
            <source>seed %1, %2</source>
            <translation>种子 %1，%2</translation>
        </message>
        <message>
            <source>seed %1: %2</source>
            <translation>种子 %1：%2</translation>
        </message>
        <message>
            <source>Seeds</source>
            <translation>种子</translation>
        </message>
        <message>
            <source>Seeds as mean and band</source>
            <translation>种子取均值与区间带</translation>
        </message>
        <message>
            <source>Seen best</source>
            <translation>最明显处</translation>
        </message>
        <message>
            <source>Select a host to see its details.</source>
            <translation>选择一台主机以查看详情。</translation>
        </message>
        <message>
            <source>Select a run to see its details.</source>
            <translation>选择一个运行以查看详情。</translation>
        </message>
        <message>
            <source>Select it, or no more</source>
            <translation>选中它，或取消选中</translation>
        </message>
        <message>
            <source>Semicolon</source>
            <translation>分号</translation>
        </message>
        <message>
            <source>send</source>
            <translation>发送</translation>
        </message>
        <message>
            <source>sends %1/s, receives %2/s</source>
            <translation>发送 %1/s，接收 %2/s</translation>
        </message>
        <message>
            <source>Sent</source>
            <translation>已发送</translation>
        </message>
        <message>
            <source>sent</source>
            <translation>已发送</translation>
        </message>
        <message>
            <source>Sent again</source>
            <translation>重发</translation>
        </message>
        <message>
            <source>sent and received</source>
            <translation>发送与接收</translation>
        </message>
        <message>
            <source>sent nothing</source>
            <translation>未发送任何内容</translation>
        </message>
        <message>
            <source>Sent, mean of the rounds after the first</source>
            <translation>发送量，第一轮之后各轮的均值</translation>
        </message>
        <message>
            <source>Separator</source>
            <translation>分隔符</translation>
        </message>
        <message>
            <source>serve</source>
            <translation>服务</translation>
        </message>
        <message>
            <source>server</source>
            <translation>服务器</translation>
        </message>
        <message>
            <source>server %1, which is busy</source>
            <translation>服务器 %1 忙碌</translation>
        </message>
        <message>
            <source>Server Mbit/s</source>
            <translation>服务器 Mbit/s</translation>
        </message>
        <message>
            <source>serving</source>
            <translation>服务中</translation>
        </message>
        <message>
            <source>setting shares by measured speed</source>
            <translation>按实测速度设置份额</translation>
        </message>
        <message>
            <source>Settings</source>
            <translation>设置</translation>
        </message>
        <message>
            <source>SHA-256 as published</source>
            <translation>SHA-256 与发布的一致</translation>
        </message>
        <message>
            <source>Shape</source>
            <translation>形状</translation>
        </message>
        <message>
            <source>Share</source>
            <translation>占比</translation>
        </message>
        <message>
            <source>share of rounds</source>
            <translation>轮次占比</translation>
        </message>
        <message>
            <source>Shares by measured speed</source>
            <translation>按实测速度分份额</translation>
        </message>
        <message>
            <source>Shift+Up  Shift+Down</source>
            <translation>Shift+上  Shift+下</translation>
        </message>
        <message>
            <source>Show all</source>
            <translation>显示全部</translation>
        </message>
        <message>
            <source>Show everything (double click)</source>
            <translation>显示全部（双击）</translation>
        </message>
        <message>
            <source>Show evidence</source>
            <translation>显示依据</translation>
        </message>
        <message>
            <source>Show evidence (%1)</source>
            <translation>显示依据（%1）</translation>
        </message>
        <message>
            <source>Show in the lanes</source>
            <translation>在泳道中显示</translation>
        </message>
        <message>
            <source>Show it</source>
            <translation>显示</translation>
        </message>
        <message>
            <source>Show names (Ctrl+B)</source>
            <translation>显示名称（Ctrl+B）</translation>
        </message>
        <message>
            <source>Show the evidence of what its time is lost to</source>
            <translation>显示时间损失的依据</translation>
        </message>
        <message>
            <source>Show the records before it</source>
            <translation>显示此前的记录</translation>
        </message>
        <message>
            <source>Show them</source>
            <translation>显示</translation>
        </message>
        <message>
            <source>Shows the columns that say the same of every row</source>
            <translation>显示各行内容相同的列</translation>
        </message>
        <message>
            <source>Shows the runs; a box that is not checked is left out</source>
            <translation>显示各运行；未勾选的会被排除</translation>
        </message>
        <message>
            <source>silent</source>
            <translation>无响应</translation>
        </message>
        <message>
            <source>Simulate</source>
            <translation>模拟</translation>
        </message>
        <message>
            <source>Simulate the runs in virtual time</source>
            <translation>在虚拟时间中模拟这些运行</translation>
        </message>
        <message>
            <source>Simulated</source>
            <translation>模拟结果</translation>
        </message>
        <message>
            <source>simulated</source>
            <translation>模拟</translation>
        </message>
        <message>
            <source>Simulating</source>
            <translation>模拟中</translation>
        </message>
        <message>
            <source>Simulating…</source>
            <translation>正在模拟…</translation>
        </message>
        <message>
            <source>simulating…</source>
            <translation>正在模拟…</translation>
        </message>
        <message>
            <source>since the start</source>
            <translation>自开始以来</translation>
        </message>
        <message>
            <source>Size</source>
            <translation>大小</translation>
        </message>
        <message>
            <source>Size of its files</source>
            <translation>其文件的大小</translation>
        </message>
        <message>
            <source>skipped</source>
            <translation>已跳过</translation>
        </message>
        <message>
            <source>Slowdown</source>
            <translation>减速</translation>
        </message>
        <message>
            <source>Slurm options</source>
            <translation>Slurm 选项</translation>
        </message>
        <message>
            <source>Small</source>
            <translation>小</translation>
        </message>
        <message>
            <source>smoothed: mean of the last %1 points</source>
            <translation>已平滑：最近 %1 个点的均值</translation>
        </message>
        <message>
            <source>Smoothing</source>
            <translation>平滑</translation>
        </message>
        <message>
            <source>So many that come there, one goes on (eta)</source>
            <translation>到达该处的每这么多个中，只有一个继续（eta）</translation>
        </message>
        <message>
            <source>Source</source>
            <translation>来源</translation>
        </message>
        <message>
            <source>Space</source>
            <translation>空格</translation>
        </message>
        <message>
            <source>Speed</source>
            <translation>速度</translation>
        </message>
        <message>
            <source>speed-up</source>
            <translation>加速比</translation>
        </message>
        <message>
            <source>Speed-up = time of this reference / time of a run. SSGD (automatic): the SSGD runs of the same configuration</source>
            <translation>加速比 = 参照的时间 / 运行的时间。SSGD（自动）：相同配置的 SSGD 运行</translation>
        </message>
        <message>
            <source>Speed-up against bandwidth</source>
            <translation>加速比与带宽</translation>
        </message>
        <message>
            <source>Speed-up against workers</source>
            <translation>加速比与工作节点数</translation>
        </message>
        <message>
            <source>Speed-up over</source>
            <translation>加速比参照</translation>
        </message>
        <message>
            <source>speed-up over %1</source>
            <translation>相对 %1 的加速比</translation>
        </message>
        <message>
            <source>Speed-up over %1 by samples/s</source>
            <translation>相对 %1 的加速比（按样本/秒）</translation>
        </message>
        <message>
            <source>Speed-up over %1 to %2 %</source>
            <translation>相对 %1 达到 %2 % 的加速比</translation>
        </message>
        <message>
            <source>speed-up over %1 to accuracy %2</source>
            <translation>相对 %1 达到准确率 %2 的加速比</translation>
        </message>
        <message>
            <source>Speed-up to a target accuracy</source>
            <translation>达到目标准确率的加速比</translation>
        </message>
        <message>
            <source>speed-up to accuracy %1</source>
            <translation>达到准确率 %1 的加速比</translation>
        </message>
        <message>
            <source>Spools here</source>
            <translation>本机暂存记录</translation>
        </message>
        <message>
            <source>Spools of %1: %2. Half-sent files: %3.</source>
            <translation>%1 的暂存记录：%2。未发完的文件：%3。</translation>
        </message>
        <message>
            <source>Spread evenly</source>
            <translation>均匀分布</translation>
        </message>
        <message>
            <source>spreading the nodes evenly</source>
            <translation>均匀分布节点</translation>
        </message>
        <message>
            <source>SSGD (automatic)</source>
            <translation>SSGD（自动）</translation>
        </message>
        <message>
            <source>Stale</source>
            <translation>失联</translation>
        </message>
        <message>
            <source>stale</source>
            <translation>失联</translation>
        </message>
        <message>
            <source>Staleness</source>
            <translation>陈旧度</translation>
        </message>
        <message>
            <source>stand-alone</source>
            <translation>单机</translation>
        </message>
        <message>
            <source>stand-alone 0.926 is the script's constant, not measured here</source>
            <translation>单机 0.926 是脚本中的常数，并非此处实测</translation>
        </message>
        <message>
            <source>Start a killed server again</source>
            <translation>重启被终止的服务器</translation>
        </message>
        <message>
            <source>Start a killed worker again</source>
            <translation>重启被终止的工作节点</translation>
        </message>
        <message>
            <source>Start again</source>
            <translation>重新启动</translation>
        </message>
        <message>
            <source>Starting</source>
            <translation>启动中</translation>
        </message>
        <message>
            <source>starting</source>
            <translation>启动中</translation>
        </message>
        <message>
            <source>Starts held runs in turn: those that are selected, else all (Space)</source>
            <translation>依次启动已暂停的运行：所选的，否则全部（空格）</translation>
        </message>
        <message>
            <source>Starts its held runs in turn</source>
            <translation>依次启动其已暂停的运行</translation>
        </message>
        <message>
            <source>State</source>
            <translation>状态</translation>
        </message>
        <message>
            <source>Step s</source>
            <translation>单步 s</translation>
        </message>
        <message>
            <source>step times as measured in run "%1"</source>
            <translation>单步时间取自运行“%1”的实测</translation>
        </message>
        <message>
            <source>step times as the document emulates them</source>
            <translation>单步时间按文档的模拟</translation>
        </message>
        <message>
            <source>step times from the hosts' measured speeds and the network's multiplications: true to a factor of about 4 on hosts that nobody else uses, until it ran there once</source>
            <translation>单步时间由主机的实测速度和网络的乘法次数推算：在那里运行过一次之前，在无人共用的主机上准确到约 4 倍以内</translation>
        </message>
        <message>
            <source>Steps</source>
            <translation>步数</translation>
        </message>
        <message>
            <source>Steps s</source>
            <translation>步时 s</translation>
        </message>
        <message>
            <source>steps that the receiving worker had taken since it applied the newest vector, mean over its steps</source>
            <translation>接收方工作节点自应用最新向量以来所走的步数，对其各步取均值</translation>
        </message>
        <message>
            <source>Stop</source>
            <translation>停止</translation>
        </message>
        <message>
            <source>Stop "%1"? What it has recorded stays; it can go on later only from a checkpoint.</source>
            <translation>停止“%1”？已记录的内容保留；之后只能从检查点继续。</translation>
        </message>
        <message>
            <source>Stop %1</source>
            <translation>停止 %1 个</translation>
        </message>
        <message>
            <source>Stop %1 and take %2 out of the queue? What has been recorded stays.</source>
            <translation>停止 %1 并将 %2 移出队列？已记录的内容保留。</translation>
        </message>
        <message>
            <source>Stop %1? What has been recorded stays.</source>
            <translation>停止 %1？已记录的内容保留。</translation>
        </message>
        <message>
            <source>Stop after</source>
            <translation>停止于</translation>
        </message>
        <message>
            <source>Stop checking</source>
            <translation>停止检查</translation>
        </message>
        <message>
            <source>Stop early</source>
            <translation>提前停止</translation>
        </message>
        <message>
            <source>Stop measuring, %1 of %2</source>
            <translation>停止测量（%1 / %2）</translation>
        </message>
        <message>
            <source>Stop sending</source>
            <translation>停止发送</translation>
        </message>
        <message>
            <source>Stop the download</source>
            <translation>停止下载</translation>
        </message>
        <message>
            <source>Stopped</source>
            <translation>已停止</translation>
        </message>
        <message>
            <source>stopped</source>
            <translation>已停止</translation>
        </message>
        <message>
            <source>stopped on request</source>
            <translation>应请求停止</translation>
        </message>
        <message>
            <source>Stopping</source>
            <translation>停止中</translation>
        </message>
        <message>
            <source>stopping</source>
            <translation>停止中</translation>
        </message>
        <message>
            <source>Stops runs that fall behind (successive halving)</source>
            <translation>停止落后的运行（逐次减半）</translation>
        </message>
        <message>
            <source>Storage</source>
            <translation>存储空间</translation>
        </message>
        <message>
            <source>Store</source>
            <translation>存储库</translation>
        </message>
        <message>
            <source>Submits what failed, was cancelled or never began again, in this suite</source>
            <translation>在此实验组中重新提交失败、被取消或从未开始的运行</translation>
        </message>
        <message>
            <source>Suite ended</source>
            <translation>实验组结束</translation>
        </message>
        <message>
            <source>sum %1</source>
            <comment>of several times</comment>
            <translation>合计 %1</translation>
        </message>
        <message>
            <source>Summary with curves (JSON)</source>
            <translation>含曲线的摘要（JSON）</translation>
        </message>
        <message>
            <source>Summary, a line for each run (CSV)</source>
            <translation>摘要，每个运行一行（CSV）</translation>
        </message>
        <message>
            <source>System</source>
            <translation>系统</translation>
        </message>
        <message>
            <source>Tab</source>
            <translation>制表符</translation>
        </message>
        <message>
            <source>Tab  Left  Right</source>
            <translation>Tab  左  右</translation>
        </message>
        <message>
            <source>Table</source>
            <translation>表格</translation>
        </message>
        <message>
            <source>Tags</source>
            <translation>标签</translation>
        </message>
        <message>
            <source>Tags of all %1, separated by commas</source>
            <translation>全部 %1 个运行的标签，以逗号分隔</translation>
        </message>
        <message>
            <source>Tags, separated by commas</source>
            <translation>标签，以逗号分隔</translation>
        </message>
        <message>
            <source>Take "%1" out of the queue? It has not begun, and nothing of it stays.</source>
            <translation>将“%1”移出队列？它尚未开始，不会留下任何内容。</translation>
        </message>
        <message>
            <source>Take "%1" out of the queue? It has not begun; its suite tells that it was not run.</source>
            <translation>将“%1”移出队列？它尚未开始；其实验组会注明它未运行。</translation>
        </message>
        <message>
            <source>Take %1 out of the queue? Nothing of what has not begun stays.</source>
            <translation>将 %1 移出队列？尚未开始的不会留下任何内容。</translation>
        </message>
        <message>
            <source>take batches of %1</source>
            <translation>将批大小设为 %1</translation>
        </message>
        <message>
            <source>Take it out of the queue</source>
            <translation>移出队列</translation>
        </message>
        <message>
            <source>Take off the list</source>
            <translation>移出列表</translation>
        </message>
        <message>
            <source>take the emulated wait for batches away</source>
            <translation>去掉模拟的取批等待</translation>
        </message>
        <message>
            <source>takes %1</source>
            <translation>输入 %1</translation>
        </message>
        <message>
            <source>takes any shape</source>
            <translation>可输入任意形状</translation>
        </message>
        <message>
            <source>takes any shape from %1 pixels a side</source>
            <translation>可输入边长不小于 %1 像素的任意形状</translation>
        </message>
        <message>
            <source>Takes as long as reading all of them, and names those that are broken</source>
            <translation>耗时与读取全部图片相当，并列出损坏的图片</translation>
        </message>
        <message>
            <source>Takes its waiting runs out of the queue</source>
            <translation>将其等待中的运行移出队列</translation>
        </message>
        <message>
            <source>Takes the characters of a text.</source>
            <translation>接受文本的字符。</translation>
        </message>
        <message>
            <source>Takes the chosen parts of all axes away</source>
            <translation>清除所有坐标轴上的所选区间</translation>
        </message>
        <message>
            <source>Takes the groups out of the document: the method forms its own, if it can</source>
            <translation>从文档中去掉分组：若方法支持，则自行分组</translation>
        </message>
        <message>
            <source>Takes the runs that never began out of this suite: they are not missing any more</source>
            <translation>将从未开始的运行移出此实验组：不再算作缺失</translation>
        </message>
        <message>
            <source>Target</source>
            <translation>目标</translation>
        </message>
        <message>
            <source>Target reached</source>
            <translation>已达目标</translation>
        </message>
        <message>
            <source>Tell of the chosen link</source>
            <translation>说明所选链路</translation>
        </message>
        <message>
            <source>Telling</source>
            <translation>正在通知</translation>
        </message>
        <message>
            <source>Tells the address and the command that this is a trial</source>
            <translation>向网址和命令发送一次试验通知</translation>
        </message>
        <message>
            <source>Tells the runs of one table apart</source>
            <translation>区分同一张表中的各次运行</translation>
        </message>
        <message>
            <source>Template</source>
            <translation>模板</translation>
        </message>
        <message>
            <source>Templates</source>
            <translation>模板</translation>
        </message>
        <message>
            <source>TensorBoard's event files, with HParams</source>
            <translation>TensorBoard 事件文件（含 HParams）</translation>
        </message>
        <message>
            <source>test</source>
            <translation>测试</translation>
        </message>
        <message>
            <source>Test Accuracy</source>
            <translation>测试准确率</translation>
        </message>
        <message>
            <source>Test accuracy</source>
            <translation>测试准确率</translation>
        </message>
        <message>
            <source>test accuracy</source>
            <translation>测试准确率</translation>
        </message>
        <message>
            <source>Test accuracy, i.i.d.</source>
            <translation>测试准确率，独立同分布</translation>
        </message>
        <message>
            <source>Test accuracy, non-i.i.d.</source>
            <translation>测试准确率，非独立同分布</translation>
        </message>
        <message>
            <source>Test loss</source>
            <translation>测试损失</translation>
        </message>
        <message>
            <source>test loss</source>
            <translation>测试损失</translation>
        </message>
        <message>
            <source>Text</source>
            <translation>内容</translation>
        </message>
        <message>
            <source>Text of the manual</source>
            <translation>手册正文</translation>
        </message>
        <message>
            <source>Text of the report</source>
            <translation>报告的文本</translation>
        </message>
        <message>
            <source>Text size</source>
            <translation>文字大小</translation>
        </message>
        <message>
            <source>That have it</source>
            <translation>出现该情况的轮数</translation>
        </message>
        <message>
            <source>That it is about</source>
            <translation>所涉及的节点</translation>
        </message>
        <message>
            <source>The %1 best of %2 points have %3; this point is %4 times as likely among them as among the other %5.</source>
            <translation>%2 点中最好的 %1 点为%3；本点出现在其中的可能性是出现在其余 %5 点中的 %4 倍。</translation>
        </message>
        <message>
            <source>The %1 best of %2 points, compared %3, have %4; this point is %5 times as likely among them as among the other %6.</source>
            <translation>%2 点中最好的 %1 点（%3比较）为%4；本点出现在其中的可能性是出现在其余 %6 点中的 %5 倍。</translation>
        </message>
        <message>
            <source>The address other hosts' nodes connect to in a run</source>
            <translation>运行时其他主机的节点所连接的地址</translation>
        </message>
        <message>
            <source>the answer was on its way</source>
            <translation>应答还在途中</translation>
        </message>
        <message>
            <source>the best accuracy</source>
            <translation>最高准确率</translation>
        </message>
        <message>
            <source>The best of %1 points has %2; this point is %3 times as likely beside it as among the other %4.</source>
            <translation>%1 点中最好的一点为%2；本点出现在其旁的可能性是出现在其余 %4 点中的 %3 倍。</translation>
        </message>
        <message>
            <source>The best of %1 points is %2: %3.</source>
            <translation>%1 点中最好的是%2：%3。</translation>
        </message>
        <message>
            <source>The best of %1 points, compared %2, has %3; this point is %4 times as likely beside it as among the other %5.</source>
            <translation>%1 点中最好的一点（%2比较）为%3；本点出现在其旁的可能性是出现在其余 %5 点中的 %4 倍。</translation>
        </message>
        <message>
            <source>The best of 1 point is %1: %2.</source>
            <translation>1 点中最好的是%1：%2。</translation>
        </message>
        <message>
            <source>The best test accuracy of the run</source>
            <translation>该运行的最高测试准确率</translation>
        </message>
        <message>
            <source>The budget of %1 is less than the %2 runs of one point.</source>
            <translation>预算 %1 少于一个点的 %2 个运行。</translation>
        </message>
        <message>
            <source>The budget of %1 is used up.</source>
            <translation>预算 %1 已用完。</translation>
        </message>
        <message>
            <source>the chosen runs have no rows for this figure</source>
            <translation>所选运行没有此图所需的记录</translation>
        </message>
        <message>
            <source>The columns of %1 are asked for.</source>
            <translation>请说明 %1 的各列。</translation>
        </message>
        <message>
            <source>the command for notices ended with code %1</source>
            <translation>通知命令以代码 %1 结束</translation>
        </message>
        <message>
            <source>the command for notices ended with code %1: %2</source>
            <translation>通知命令以代码 %1 结束：%2</translation>
        </message>
        <message>
            <source>the command for notices took longer than %1 s and was ended</source>
            <translation>通知命令超过 %1 秒，已被终止</translation>
        </message>
        <message>
            <source>the coordinator sends them</source>
            <translation>由协调节点发送</translation>
        </message>
        <message>
            <source>The data in %1 is checked on the Data page.</source>
            <translation>正在“数据”页检查 %1 中的数据。</translation>
        </message>
        <message>
            <source>The export was stopped; what was written stays</source>
            <translation>导出已停止；已写入的内容保留</translation>
        </message>
        <message>
            <source>the first %1 of %2 directions are drawn; the export has all</source>
            <translation>绘出 %2 个方向中的前 %1 个；导出文件中有全部</translation>
        </message>
        <message>
            <source>the first %1 of %2 workers are drawn; the summary has all</source>
            <translation>绘出 %2 个工作节点中的前 %1 个；摘要中有全部</translation>
        </message>
        <message>
            <source>The first %1 points failed, the last one: %2</source>
            <translation>最初 %1 个点失败，最后一个：%2</translation>
        </message>
        <message>
            <source>The first ends after about %1.</source>
            <translation>第一个约 %1 后结束。</translation>
        </message>
        <message>
            <source>The first ends after less than 0.1 s.</source>
            <translation>第一个不到 0.1 s 即结束。</translation>
        </message>
        <message>
            <source>The first of %1 runs: %2</source>
            <translation>%1 个运行中的第一个：%2</translation>
        </message>
        <message>
            <source>The folder must be an absolute path; it is "%1"</source>
            <translation>文件夹须为绝对路径；现为“%1”</translation>
        </message>
        <message>
            <source>The folder stays as it is</source>
            <translation>文件夹本身保持不变</translation>
        </message>
        <message>
            <source>The help of a field stands here while it has the keyboard. Ctrl+Page Down goes to the next section.</source>
            <translation>字段获得键盘焦点时，其说明显示在此处。Ctrl+Page Down 转到下一节。</translation>
        </message>
        <message>
            <source>The hosts of %1 are shown on the Clusters page, to be added there.</source>
            <translation>%1 中的主机显示在“集群”页，可在那里添加。</translation>
        </message>
        <message>
            <source>The last %1 points cannot be run: %2</source>
            <translation>最近 %1 个点无法运行：%2</translation>
        </message>
        <message>
            <source>the last accuracy</source>
            <translation>最终准确率</translation>
        </message>
        <message>
            <source>The line of the next problem (F8)</source>
            <translation>下一个问题所在的行 (F8)</translation>
        </message>
        <message>
            <source>the links</source>
            <translation>链路</translation>
        </message>
        <message>
            <source>the log tree</source>
            <translation>日志目录树</translation>
        </message>
        <message>
            <source>the longest wait: %1 (%2)</source>
            <translation>最长的等待：%1（%2）</translation>
        </message>
        <message>
            <source>the most samples/s</source>
            <translation>每秒样本数最多</translation>
        </message>
        <message>
            <source>The newest copy is then older than this</source>
            <translation>最新副本已早于此时间</translation>
        </message>
        <message>
            <source>the nodes' clocks were not compared: lanes may be shifted against each other</source>
            <translation>未比对各节点的时钟：泳道之间可能错开</translation>
        </message>
        <message>
            <source>The numbers behind it: where the wall time goes, and the rounds and nodes that show it (Ctrl+E)</source>
            <translation>其背后的数字：时间花在何处，以及体现它的轮次与节点（Ctrl+E）</translation>
        </message>
        <message>
            <source>The part of the timeline where it takes longest (Enter)</source>
            <translation>时间线上耗时最长的部分（Enter）</translation>
        </message>
        <message>
            <source>The program %1 hears of every end, too.</source>
            <translation>程序 %1 也会收到每次结束的通知。</translation>
        </message>
        <message>
            <source>the reference %1 is not among the runs</source>
            <translation>参照 %1 不在这些运行之中</translation>
        </message>
        <message>
            <source>the reference %1: accuracy %2 %3; choose another reference or target</source>
            <translation>参照 %1：准确率 %2 %3；请另选参照或目标</translation>
        </message>
        <message>
            <source>The report as it is written out</source>
            <translation>报告输出后的样子</translation>
        </message>
        <message>
            <source>The report is not written: %1</source>
            <translation>报告未写出：%1</translation>
        </message>
        <message>
            <source>The report's text into its file (Ctrl+S)</source>
            <translation>将报告的文本存入其文件 (Ctrl+S)</translation>
        </message>
        <message>
            <source>The run does not go on without a worker</source>
            <translation>缺少工作节点时该运行无法继续</translation>
        </message>
        <message>
            <source>The run has ended</source>
            <translation>运行已结束</translation>
        </message>
        <message>
            <source>the run has no whole document</source>
            <translation>该运行没有完整的文档</translation>
        </message>
        <message>
            <source>the run is simulated: times are virtual</source>
            <translation>该运行为模拟：时间为虚拟时间</translation>
        </message>
        <message>
            <source>The run is simulated: times are virtual.</source>
            <translation>该运行为模拟：时间为虚拟时间。</translation>
        </message>
        <message>
            <source>The run it waits for, or the present step</source>
            <translation>它所等待的运行，或当前步骤</translation>
        </message>
        <message>
            <source>The same in every row: %1</source>
            <translation>各行相同：%1</translation>
        </message>
        <message>
            <source>The same in virtual time on this computer, as a run of its own: nothing is measured (Ctrl+Shift+Return)</source>
            <translation>在本机以虚拟时间执行，作为单独的运行：不做任何实测（Ctrl+Shift+Return）</translation>
        </message>
        <message>
            <source>The sample project: two methods with two seeds each, recorded before. Hide the sample, at the top, puts it away</source>
            <translation>示例项目：两种方法，各两个种子，均为事先录制。上方的“隐藏示例”可将其收起</translation>
        </message>
        <message>
            <source>the script draws ESync, SSGD, ASGD and DC-ASGD only</source>
            <translation>脚本只绘制 ESync、SSGD、ASGD 和 DC-ASGD</translation>
        </message>
        <message>
            <source>the script draws one run of each algorithm</source>
            <translation>脚本每种算法只绘制一个运行</translation>
        </message>
        <message>
            <source>The search chooses further points</source>
            <translation>搜索继续选择新的点</translation>
        </message>
        <message>
            <source>the search was ended</source>
            <translation>搜索已结束</translation>
        </message>
        <message>
            <source>the search's budget of %1 was used up</source>
            <translation>搜索的预算 %1 已用完</translation>
        </message>
        <message>
            <source>The selected runs</source>
            <translation>所选运行</translation>
        </message>
        <message>
            <source>The selected runs; Space changes one</source>
            <translation>所选运行；按空格切换一个</translation>
        </message>
        <message>
            <source>the set has no classes</source>
            <translation>该数据集没有类别</translation>
        </message>
        <message>
            <source>the set has no samples</source>
            <translation>该数据集没有样本</translation>
        </message>
        <message>
            <source>the shell cannot read the command: %1</source>
            <translation>shell 无法解析此命令：%1</translation>
        </message>
        <message>
            <source>the shortest time to the target</source>
            <translation>达到目标用时最短</translation>
        </message>
        <message>
            <source>The spools of ended runs on this host will be deleted. A run that is not fetched completely cannot be completed afterwards.</source>
            <translation>此主机上已结束运行的暂存记录将被删除。尚未完整获取的运行此后无法补全。</translation>
        </message>
        <message>
            <source>The step of the first exchange, counted from 0; below the interval</source>
            <translation>首次交换所在的步，从 0 计；小于间隔</translation>
        </message>
        <message>
            <source>The stop rules count its rounds and its time; %1</source>
            <translation>停止规则以它的轮数和时间计；%1</translation>
        </message>
        <message>
            <source>The table has no column "%1" for %2</source>
            <translation>表中没有用作%2的列“%1”</translation>
        </message>
        <message>
            <source>the template %1</source>
            <translation>模板 %1</translation>
        </message>
        <message>
            <source>the times of the workers' rounds are not recorded</source>
            <translation>未记录工作节点各轮的时间</translation>
        </message>
        <message>
            <source>The topology is now a list of edges, as drawn; it was %1</source>
            <translation>拓扑现在是按绘制结果列出的边；之前是%1</translation>
        </message>
        <message>
            <source>The trash is empty</source>
            <translation>回收站是空的</translation>
        </message>
        <message>
            <source>The wait before, the next wait</source>
            <translation>上一次等待、下一次等待</translation>
        </message>
        <message>
            <source>The wheel zooms at the pointer, Shift and the wheel pan, and Space holds the view still while the run goes on.</source>
            <translation>滚轮以指针为中心缩放，Shift 加滚轮平移，空格可在运行继续时停住画面。</translation>
        </message>
        <message>
            <source>The window closes and opens in the other language; runs go on</source>
            <translation>窗口关闭后以另一种语言重新打开；运行不受影响</translation>
        </message>
        <message>
            <source>The window is too narrow for names here</source>
            <translation>窗口太窄，此处无法显示名称</translation>
        </message>
        <message>
            <source>The worker that begins the exchange</source>
            <translation>发起交换的工作节点</translation>
        </message>
        <message>
            <source>Their documents are equal.</source>
            <translation>它们的文档相同。</translation>
        </message>
        <message>
            <source>their time is not known: no like run in the store, no emulated step times, no stop rule of seconds</source>
            <translation>时长未知：存储库中没有类似运行，没有模拟的单步时间，也没有以秒计的停止规则</translation>
        </message>
        <message>
            <source>their time is not known: no like run in the store, no stop rule of rounds, samples or seconds</source>
            <translation>时间未知：库中没有相似的运行，也没有按轮数、样本数或秒数的停止规则</translation>
        </message>
        <message>
            <source>Theme</source>
            <translation>主题</translation>
        </message>
        <message>
            <source>Theme as the &amp;system</source>
            <translation>主题随系统(&amp;S)</translation>
        </message>
        <message>
            <source>There are no checkpoints</source>
            <translation>没有检查点</translation>
        </message>
        <message>
            <source>There is no change to apply: %1</source>
            <translation>没有可应用的改动：%1</translation>
        </message>
        <message>
            <source>There is no new host in this file.</source>
            <translation>此文件中没有新主机。</translation>
        </message>
        <message>
            <source>there is no program "%1" here</source>
            <translation>这里没有程序“%1”</translation>
        </message>
        <message>
            <source>There is no server</source>
            <translation>没有服务器</translation>
        </message>
        <message>
            <source>This computer</source>
            <translation>本机</translation>
        </message>
        <message>
            <source>this computer</source>
            <translation>本机</translation>
        </message>
        <message>
            <source>this computer's Slurm</source>
            <translation>本机的 Slurm</translation>
        </message>
        <message>
            <source>This host has not been connected to before. Compare the fingerprint with what its administrator tells you, or with what ssh-keygen -lf prints on the host itself.</source>
            <translation>此前从未连接过此主机。请将指纹与其管理员所告知的，或在该主机上运行 ssh-keygen -lf 所显示的进行比对。</translation>
        </message>
        <message>
            <source>This is a suite: a run for each combination that the grid above does not leave out.</source>
            <translation>这是一个实验组：上方网格未排除的每种组合各一个运行。</translation>
        </message>
        <message>
            <source>This window starts again with it</source>
            <translation>本窗口将以它重新启动</translation>
        </message>
        <message>
            <source>Threads</source>
            <translation>线程</translation>
        </message>
        <message>
            <source>Throughput</source>
            <translation>吞吐量</translation>
        </message>
        <message>
            <source>Tick runs or groups of seeds at the left: every figure is drawn from what was recorded.</source>
            <translation>在左侧勾选运行或种子组：所有图均根据记录绘制。</translation>
        </message>
        <message>
            <source>Time</source>
            <translation>时间</translation>
        </message>
        <message>
            <source>time (hours)</source>
            <translation>时间（小时）</translation>
        </message>
        <message>
            <source>Time (minutes)</source>
            <translation>时间（分钟）</translation>
        </message>
        <message>
            <source>time (minutes)</source>
            <translation>时间（分钟）</translation>
        </message>
        <message>
            <source>time (s)</source>
            <translation>时间 (s)</translation>
        </message>
        <message>
            <source>time of %1 (%2 s) / time, first raw crossing of %3</source>
            <translation>%1 的时间（%2 s）/ 时间，以原始曲线首次越过 %3 计</translation>
        </message>
        <message>
            <source>time to %1 %</source>
            <translation>达到 %1 % 的时间</translation>
        </message>
        <message>
            <source>Time to %1 % (s)</source>
            <translation>达到 %1 % 的时间 (s)</translation>
        </message>
        <message>
            <source>time to %1 % (s)</source>
            <translation>达到 %1 % 的时间 (s)</translation>
        </message>
        <message>
            <source>Time use</source>
            <translation>时间用途</translation>
        </message>
        <message>
            <source>Timeline</source>
            <translation>时间线</translation>
        </message>
        <message>
            <source>Timeline for Perfetto and chrome://tracing</source>
            <translation>时间线，用于 Perfetto 与 chrome://tracing</translation>
        </message>
        <message>
            <source>Timeline: who waits for whom</source>
            <translation>时间线：谁在等谁</translation>
        </message>
        <message>
            <source>To</source>
            <translation>终点</translation>
        </message>
        <message>
            <source>To test</source>
            <translation>测试</translation>
        </message>
        <message>
            <source>to test</source>
            <translation>测试</translation>
        </message>
        <message>
            <source>To the begin, to the end</source>
            <translation>到开头、到末尾</translation>
        </message>
        <message>
            <source>To the front</source>
            <translation>移到最前</translation>
        </message>
        <message>
            <source>To the next section</source>
            <translation>到下一节</translation>
        </message>
        <message>
            <source>To the section before</source>
            <translation>到上一节</translation>
        </message>
        <message>
            <source>To train</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>to train</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>Told by a run that trains there, with all else that runs there</source>
            <translation>由在那里训练的运行告知，含其上运行的其他一切</translation>
        </message>
        <message>
            <source>Told of</source>
            <translation>通知内容</translation>
        </message>
        <message>
            <source>Told once the document has no errors.</source>
            <translation>文档没有错误后给出。</translation>
        </message>
        <message>
            <source>Told; this was a trial.</source>
            <translation>已通知；这是一次试验。</translation>
        </message>
        <message>
            <source>Topology</source>
            <translation>拓扑</translation>
        </message>
        <message>
            <source>Traffic</source>
            <translation>通信量</translation>
        </message>
        <message>
            <source>traffic (MB)</source>
            <translation>通信量 (MB)</translation>
        </message>
        <message>
            <source>Traffic (MB/s)</source>
            <translation>通信量 (MB/s)</translation>
        </message>
        <message>
            <source>traffic (MB/s)</source>
            <translation>通信量 (MB/s)</translation>
        </message>
        <message>
            <source>Traffic (MB/s) by the script</source>
            <translation>流量 (MB/s)（按脚本）</translation>
        </message>
        <message>
            <source>Traffic load</source>
            <translation>通信负载</translation>
        </message>
        <message>
            <source>train</source>
            <translation>训练</translation>
        </message>
        <message>
            <source>trained by all</source>
            <translation>全体训练的样本</translation>
        </message>
        <message>
            <source>Trained so far, of all workers</source>
            <translation>到此为止所有工作节点训练过的样本数</translation>
        </message>
        <message>
            <source>training</source>
            <translation>训练中</translation>
        </message>
        <message>
            <source>Training loss</source>
            <translation>训练损失</translation>
        </message>
        <message>
            <source>training samples</source>
            <translation>训练样本数</translation>
        </message>
        <message>
            <source>Trash</source>
            <translation>回收站</translation>
        </message>
        <message>
            <source>Trust this key</source>
            <translation>信任此密钥</translation>
        </message>
        <message>
            <source>Trusted network</source>
            <translation>可信网络</translation>
        </message>
        <message>
            <source>Try again</source>
            <translation>重试</translation>
        </message>
        <message>
            <source>Try now</source>
            <translation>立即试验</translation>
        </message>
        <message>
            <source>Turns the chosen cell into a list or a range, or back into one value: 1, 2, 4; 1..8 step 2; 0.001..1 log 4 (Ctrl+L)</source>
            <translation>将所选单元格变为列表或范围，或恢复为单个值：1, 2, 4；1..8 step 2；0.001..1 log 4（Ctrl+L）</translation>
        </message>
        <message>
            <source>Type to search</source>
            <translation>输入以搜索</translation>
        </message>
        <message>
            <source>typing in the document</source>
            <translation>在文档中输入</translation>
        </message>
        <message>
            <source>under way</source>
            <translation>进行中</translation>
        </message>
        <message>
            <source>Undo</source>
            <translation>撤销</translation>
        </message>
        <message>
            <source>Undone: %1</source>
            <translation>已撤销：%1</translation>
        </message>
        <message>
            <source>unfolded</source>
            <translation>已展开</translation>
        </message>
        <message>
            <source>Unknown</source>
            <translation>未知</translation>
        </message>
        <message>
            <source>Unknown key</source>
            <translation>未知密钥</translation>
        </message>
        <message>
            <source>Unpacked arrays</source>
            <translation>已解包的数组</translation>
        </message>
        <message>
            <source>unreachable</source>
            <translation>不可达</translation>
        </message>
        <message>
            <source>unreachable: %1</source>
            <translation>不可达：%1</translation>
        </message>
        <message>
            <source>Unused pages in it</source>
            <translation>其中的未用页</translation>
        </message>
        <message>
            <source>Up</source>
            <translation>上移</translation>
        </message>
        <message>
            <source>Up  Down</source>
            <translation>上  下</translation>
        </message>
        <message>
            <source>update</source>
            <translation>更新</translation>
        </message>
        <message>
            <source>updates by others between pull and push</source>
            <translation>拉取与推送之间其他节点的更新次数</translation>
        </message>
        <message>
            <source>Usable</source>
            <translation>可用</translation>
        </message>
        <message>
            <source>Used from the next start</source>
            <translation>下次启动时生效</translation>
        </message>
        <message>
            <source>User</source>
            <translation>用户</translation>
        </message>
        <message>
            <source>Values</source>
            <translation>数值格式</translation>
        </message>
        <message>
            <source>Varies</source>
            <translation>取多个值</translation>
        </message>
        <message>
            <source>Varies: %1. The values are in the document.</source>
            <translation>取多个值：%1。各值见文档。</translation>
        </message>
        <message>
            <source>Vary %1</source>
            <translation>让%1取多个值</translation>
        </message>
        <message>
            <source>Vary cell</source>
            <translation>单元格取多值</translation>
        </message>
        <message>
            <source>Vary the field or cell with the keyboard, or no more</source>
            <translation>用键盘让字段或单元格取多个值，或恢复单值</translation>
        </message>
        <message>
            <source>varying %1: %2</source>
            <translation>让 %1 取多个值：%2</translation>
        </message>
        <message>
            <source>Vectors take %1 of memory of a worker, %2 of a server.</source>
            <translation>向量占用每个工作节点 %1、服务器 %2 内存。</translation>
        </message>
        <message>
            <source>Vectors take %1 of memory of a worker.</source>
            <translation>向量占用每个工作节点 %1 内存。</translation>
        </message>
        <message>
            <source>Views</source>
            <translation>视图</translation>
        </message>
        <message>
            <source>wait</source>
            <translation>等待</translation>
        </message>
        <message>
            <source>Waiting</source>
            <translation>等待中</translation>
        </message>
        <message>
            <source>waiting</source>
            <translation>等待中</translation>
        </message>
        <message>
            <source>waiting for %1, the slowest in %2 of %3 rounds</source>
            <translation>等待 %1（%3 轮中有 %2 轮最慢）</translation>
        </message>
        <message>
            <source>waiting for batches</source>
            <translation>等待取批</translation>
        </message>
        <message>
            <source>waiting for the slower %1</source>
            <translation>等待较慢的 %1</translation>
        </message>
        <message>
            <source>waiting for whoever is slowest, longest for %1</source>
            <translation>等待最慢者，其中等 %1 最久</translation>
        </message>
        <message>
            <source>Waiting: %1</source>
            <translation>等待：%1</translation>
        </message>
        <message>
            <source>Wall time</source>
            <translation>总时长</translation>
        </message>
        <message>
            <source>Wall time (s)</source>
            <translation>总时长 (s)</translation>
        </message>
        <message>
            <source>warning</source>
            <translation>警告</translation>
        </message>
        <message>
            <source>Warnings</source>
            <translation>有警告</translation>
        </message>
        <message>
            <source>Warnings and errors</source>
            <translation>警告和错误</translation>
        </message>
        <message>
            <source>Watch ESync beat SSGD (40 s, on this computer)</source>
            <translation>观看 ESync 胜过 SSGD（40 s，在本机）</translation>
        </message>
        <message>
            <source>Web address</source>
            <translation>网址</translation>
        </message>
        <message>
            <source>weigh old gradients (DC-ASGD)</source>
            <translation>对陈旧梯度加权（DC-ASGD）</translation>
        </message>
        <message>
            <source>Weight decay</source>
            <translation>权重衰减</translation>
        </message>
        <message>
            <source>Weights of the best evaluation (NumPy)</source>
            <translation>最佳评估时的权重（NumPy）</translation>
        </message>
        <message>
            <source>Weights of the best evaluation (safetensors)</source>
            <translation>最佳评估时的权重（safetensors）</translation>
        </message>
        <message>
            <source>Weights of the last evaluation (NumPy)</source>
            <translation>最后一次评估时的权重（NumPy）</translation>
        </message>
        <message>
            <source>Weights of the last evaluation (safetensors)</source>
            <translation>最后一次评估时的权重（safetensors）</translation>
        </message>
        <message>
            <source>What can be written in a report (Ctrl+H)</source>
            <translation>报告中可以写什么 (Ctrl+H)</translation>
        </message>
        <message>
            <source>What crossed each link, counted by both ends, and what the method has to send</source>
            <translation>每条链路上经过了什么，由两端计数，以及方法必须发送什么</translation>
        </message>
        <message>
            <source>What crossed its links</source>
            <translation>链路上经过的内容</translation>
        </message>
        <message>
            <source>What documents call it</source>
            <translation>文档中使用的名称</translation>
        </message>
        <message>
            <source>What gives a shell there when /bin/sh is put behind it, as "docker exec -i box"</source>
            <translation>其后加上 /bin/sh 即可在那里得到 shell 的命令，例如进入容器的命令</translation>
        </message>
        <message>
            <source>What has come stays, and the download goes on from there</source>
            <translation>已下载的部分会保留，之后可从该处继续</translation>
        </message>
        <message>
            <source>What is best, the budget, and what is stopped early</source>
            <translation>最优标准、预算以及提前停止的条件</translation>
        </message>
        <message>
            <source>What is searched</source>
            <translation>搜索的内容</translation>
        </message>
        <message>
            <source>what it had sent was on its way</source>
            <translation>它发出的内容还在途中</translation>
        </message>
        <message>
            <source>What its worker can do</source>
            <translation>其工作节点程序支持的功能</translation>
        </message>
        <message>
            <source>What that worker recorded before its loss became no number</source>
            <translation>该工作节点在损失变为非数值之前的记录</translation>
        </message>
        <message>
            <source>What the method has to send is not known: %1.</source>
            <translation>方法必须发送多少未知：%1。</translation>
        </message>
        <message>
            <source>What the method has to send, as the simulator does</source>
            <translation>方法必须发送的量，按模拟器</translation>
        </message>
        <message>
            <source>What the records say</source>
            <translation>记录所反映的情况</translation>
        </message>
        <message>
            <source>What the results tell</source>
            <translation>结果说明</translation>
        </message>
        <message>
            <source>What the run did</source>
            <translation>运行的过程</translation>
        </message>
        <message>
            <source>What the simulator of this computer says of each run, added up: they are taken one after the other. %1</source>
            <translation>本机模拟器对每次运行的估计之和：各次运行依次进行。%1</translation>
        </message>
        <message>
            <source>What the workers' steps take, a mean. What is not in this table takes less than a tenth of the wall time each.</source>
            <translation>工作节点各步的平均耗时。未列入此表的各项均不足总时长的十分之一。</translation>
        </message>
        <message>
            <source>What varies</source>
            <translation>取多值的内容</translation>
        </message>
        <message>
            <source>What was saved here, or written for paceline import --profile</source>
            <translation>在此保存过的，或为 paceline import --profile 编写的</translation>
        </message>
        <message>
            <source>What went wrong</source>
            <translation>出错原因</translation>
        </message>
        <message>
            <source>What workers sent is what servers received. Bytes over the whole run, by both ends.</source>
            <translation>工作节点发送的正是服务器收到的。整个运行的字节，按两端计数。</translation>
        </message>
        <message>
            <source>When a run ends and the newest copy is old enough</source>
            <translation>运行结束且最新副本已足够旧时</translation>
        </message>
        <message>
            <source>When a run fails or reaches its target while another window is in front</source>
            <translation>当另一窗口在前台时，运行失败或达到目标即通知</translation>
        </message>
        <message>
            <source>When it was last checked</source>
            <translation>最近一次检查的时间</translation>
        </message>
        <message>
            <source>Where</source>
            <translation>位置</translation>
        </message>
        <message>
            <source>Where each row has one number, choose both the column of its name and that of the number</source>
            <translation>若每行只有一个数值，请同时选择其名称列和数值列</translation>
        </message>
        <message>
            <source>Where each row has one number: the number</source>
            <translation>每行只有一个数值时：该数值</translation>
        </message>
        <message>
            <source>Where each row has one number: what it is called</source>
            <translation>每行只有一个数值时：它的名称</translation>
        </message>
        <message>
            <source>Where it goes on: a host of the Clusters page</source>
            <translation>在哪里继续：集群页面中的一台主机</translation>
        </message>
        <message>
            <source>Where it is</source>
            <translation>所在位置</translation>
        </message>
        <message>
            <source>Where it runs</source>
            <translation>运行位置</translation>
        </message>
        <message>
            <source>Where its wall time goes is said once it has rounds.</source>
            <translation>有轮次记录后，会说明其时间花在何处。</translation>
        </message>
        <message>
            <source>Where runs find it</source>
            <translation>运行读取它的位置</translation>
        </message>
        <message>
            <source>Where the documents of the selected runs differ</source>
            <translation>所选运行的文档有何不同</translation>
        </message>
        <message>
            <source>Where the time goes</source>
            <translation>时间去向</translation>
        </message>
        <message>
            <source>Where the wall time goes</source>
            <translation>时间花在何处</translation>
        </message>
        <message>
            <source>Whether it is here and what the last check found</source>
            <translation>是否已有，以及最近检查的结果</translation>
        </message>
        <message>
            <source>Which data set a folder holds, whether it is whole, a look at it (Ctrl+Return)</source>
            <translation>文件夹中是哪个数据集、是否完整，并查看样本（Ctrl+Return）</translation>
        </message>
        <message>
            <source>Who exchanges</source>
            <translation>交换关系</translation>
        </message>
        <message>
            <source>Whole numbers that grow: rounds, iterations, epochs</source>
            <translation>递增的整数：轮、迭代、周期</translation>
        </message>
        <message>
            <source>Why each of them has nothing to draw</source>
            <translation>各图无内容可绘的原因</translation>
        </message>
        <message>
            <source>Width</source>
            <translation>宽度</translation>
        </message>
        <message>
            <source>Wire format</source>
            <translation>传输格式</translation>
        </message>
        <message>
            <source>With the first values: %1</source>
            <translation>取第一组值：%1</translation>
        </message>
        <message>
            <source>With what the connection adds, as the sender counted</source>
            <translation>含连接附加的部分，按发送方计数</translation>
        </message>
        <message>
            <source>Without a value: %1</source>
            <translation>没有数值：%1</translation>
        </message>
        <message>
            <source>Worker</source>
            <translation>工作节点</translation>
        </message>
        <message>
            <source>worker</source>
            <translation>工作节点</translation>
        </message>
        <message>
            <source>workers</source>
            <translation>工作节点数</translation>
        </message>
        <message>
            <source>Workers and edges of ECL's node_list.json</source>
            <translation>ECL 的 node_list.json 中的工作节点与边</translation>
        </message>
        <message>
            <source>Workers of like speed together: the hosts' measured speed, the threads of each worker and its emulated slowdown count</source>
            <translation>速度相近的工作节点分为一组：按主机实测速度、各工作节点的线程数与模拟的减速</translation>
        </message>
        <message>
            <source>Workers with the same number train in lock-step; groups do not wait for each other</source>
            <translation>编号相同的工作节点同步训练；各组互不等待</translation>
        </message>
        <message>
            <source>Workers with the same number work in lock-step; groups do not wait for each other</source>
            <translation>编号相同的工作节点同步前进；各组互不等待</translation>
        </message>
        <message>
            <source>Write here, or begin with a report of runs: Compare, Report.</source>
            <translation>在此编写，或从运行的报告开始：对比，报告。</translation>
        </message>
        <message>
            <source>Write this document to a file: paceline run takes it</source>
            <translation>将此文档写入文件，可供 paceline run 使用</translation>
        </message>
        <message>
            <source>Writes the preset's edges into the document, to be changed by hand</source>
            <translation>将预设的边写入文档，以便手动修改</translation>
        </message>
        <message>
            <source>Wrote %1</source>
            <translation>已写入 %1</translation>
        </message>
        <message>
            <source>x axis ends with the runs, which are shorter than a tenth of the script's 120 minutes</source>
            <translation>x 轴止于运行结束处，它们短于脚本 120 分钟的十分之一</translation>
        </message>
        <message>
            <source>x-axis</source>
            <translation>x 轴</translation>
        </message>
        <message>
            <source>yes</source>
            <translation>是</translation>
        </message>
        <message>
            <source>yesterday %1</source>
            <translation>昨天 %1</translation>
        </message>
        <message>
            <source>Zoom; so does the wheel, at the pointer</source>
            <translation>缩放；滚轮以指针为中心缩放</translation>
        </message>
    </context>
    <context>
        <name>Catalogue</name>
        <message>
            <source>"ResNet-32" of ECL</source>
            <translation>ECL 的“ResNet-32”</translation>
        </message>
        <message>
            <source>10 convolutions with group normalisation and the ImageNet head of 4096, 4096 and one unit per class, as ECL has it; half a gigabyte of parameters.</source>
            <translation>10 个带组归一化的卷积与 4096、4096 及每类一个单元的 ImageNet 头部，同 ECL；参数约半 GB。</translation>
        </message>
        <message>
            <source>10 convolutions, and dense layers of 512, 512 and one per class with dropout, as ps_pytorch trains it.</source>
            <translation>10 个卷积，以及 512、512 与每类一个单元的全连接层，带 dropout，如 ps_pytorch 所训练。</translation>
        </message>
        <message>
            <source>10 convolutions, each with batch normalisation, and dense layers of 512, 512 and one per class with dropout, as ps_pytorch trains it.</source>
            <translation>10 个各带批归一化的卷积，以及 512、512 与每类一个单元的全连接层，带 dropout，如 ps_pytorch 所训练。</translation>
        </message>
        <message>
            <source>13 convolutions with group normalisation and the ImageNet head of 4096, 4096 and one unit per class, as ECL has it; half a gigabyte of parameters.</source>
            <translation>13 个带组归一化的卷积与 4096、4096 及每类一个单元的 ImageNet 头部，同 ECL；参数约半 GB。</translation>
        </message>
        <message>
            <source>13 convolutions, and dense layers of 512, 512 and one per class with dropout, as ps_pytorch trains it.</source>
            <translation>13 个卷积，以及 512、512 与每类一个单元的全连接层，带 dropout，如 ps_pytorch 所训练。</translation>
        </message>
        <message>
            <source>13 convolutions, each with batch normalisation, and dense layers of 512, 512 and one per class with dropout, as ps_pytorch trains it.</source>
            <translation>13 个各带批归一化的卷积，以及 512、512 与每类一个单元的全连接层，带 dropout，如 ps_pytorch 所训练。</translation>
        </message>
        <message>
            <source>16 convolutions, and dense layers of 512, 512 and one per class with dropout, as ps_pytorch trains it.</source>
            <translation>16 个卷积，以及 512、512 与每类一个单元的全连接层，带 dropout，如 ps_pytorch 所训练。</translation>
        </message>
        <message>
            <source>16 convolutions, each with batch normalisation, and dense layers of 512, 512 and one per class with dropout, as ps_pytorch trains it.</source>
            <translation>16 个各带批归一化的卷积，以及 512、512 与每类一个单元的全连接层，带 dropout，如 ps_pytorch 所训练。</translation>
        </message>
        <message>
            <source>32-bit floats</source>
            <translation>32 位浮点数</translation>
        </message>
        <message>
            <source>54 pre-activation bottlenecks of 64, 128 and 256 channels behind a 3x3 convolution, as MXNet-G trains it on CIFAR-10.</source>
            <translation>3x3 卷积后接 54 个 64、128、256 通道的预激活瓶颈块，如 MXNet-G 在 CIFAR-10 上所训练。</translation>
        </message>
        <message>
            <source>8 convolutions with group normalisation and the ImageNet head of 4096, 4096 and one unit per class, as ECL has it; half a gigabyte of parameters.</source>
            <translation>8 个带组归一化的卷积与 4096、4096 及每类一个单元的 ImageNet 头部，同 ECL；参数约半 GB。</translation>
        </message>
        <message>
            <source>8 convolutions, and dense layers of 512, 512 and one per class with dropout, as ps_pytorch trains it.</source>
            <translation>8 个卷积，以及 512、512 与每类一个单元的全连接层，带 dropout，如 ps_pytorch 所训练。</translation>
        </message>
        <message>
            <source>8 convolutions, each with batch normalisation, and dense layers of 512, 512 and one per class with dropout, as ps_pytorch trains it.</source>
            <translation>8 个各带批归一化的卷积，以及 512、512 与每类一个单元的全连接层，带 dropout，如 ps_pytorch 所训练。</translation>
        </message>
        <message>
            <source>`{{differences esync ssgd}}`: the settings in which the documents differ.</source>
            <translation>`{{differences esync ssgd}}`：各文档中不同的设置。</translation>
        </message>
        <message>
            <source>`{{esync.best_accuracy}}` is read from the store. Behind the run stands</source>
            <translation>`{{esync.best_accuracy}}` 从存储中读取。运行之后写</translation>
        </message>
        <message>
            <source>`{{figure accuracy esync ssgd x=rounds smooth=5}}`: any figure of `paceline catalog`. Options: `x` time, rounds, epochs, samples or bytes; `log` x, y or xy; `smooth` points; `style` published; `seeds` apart; `over` a run (of a speed-up); `standalone` an accuracy; `cut` time, rounds, samples or bytes; `height` mm; `caption` "words"; `notes` no.</source>
            <translation>`{{figure accuracy esync ssgd x=rounds smooth=5}}`：`paceline catalog` 中的任一图。选项：`x` 为 time、rounds、epochs、samples 或 bytes；`log` 为 x、y 或 xy；`smooth` 点数；`style` 为 published；`seeds` 为 apart；`over` 一个运行（用于加速比）；`standalone` 一个准确率；`cut` 为 time、rounds、samples 或 bytes；`height` mm；`caption` “words”；`notes` 为 no。</translation>
        </message>
        <message>
            <source>`{{lanes esync from=2 to=6}}`: who waits for whom, whole or between two times in seconds; a picture of each run, of several seeds of the first.</source>
            <translation>`{{lanes esync from=2 to=6}}`：谁在等谁，全程或两个时刻（秒）之间；每个运行一张图，多个种子时为第一个。</translation>
        </message>
        <message>
            <source>`{{results}}`: the results table with what it tells. Options: `cut`, `columns` all, `caption`, `notes` no.</source>
            <translation>`{{results}}`：结果表及其结论。选项：`cut`、`columns` 为 all、`caption`、`notes` 为 no。</translation>
        </message>
        <message>
            <source>A coefficient's mean over those who sent it, as in the published code, or over all workers.</source>
            <translation>系数的均值：按已发布代码仅对发送者求取，或对全部工作节点求取。</translation>
        </message>
        <message>
            <source>A command that has not answered for so long ends the run.</source>
            <translation>命令超过这么久没有回答，运行即结束。</translation>
        </message>
        <message>
            <source>A data_sharding file on every worker's host, line i the stretch "begin end" of the document's worker i; empty: the nodes' shares.</source>
            <translation>每个工作节点主机上的 data_sharding 文件，第 i 行为文档中第 i 个工作节点的区间“begin end”；留空：按节点份额。</translation>
        </message>
        <message>
            <source>A draw that gives a worker fewer is drawn again, up to 1000 times.</source>
            <translation>若抽取结果使某工作节点少于此数则重抽，至多 1000 次。</translation>
        </message>
        <message>
            <source>A file that torch.jit.script(model).save(...) wrote. It may have methods loss(output, target) and metrics(output, target); else cross-entropy, or squared error for numbers.</source>
            <translation>由 torch.jit.script(model).save(...) 写出的文件。可以有方法 loss(output, target) 和 metrics(output, target)；否则用交叉熵，对数值用平方误差。</translation>
        </message>
        <message>
            <source>A fraction, 0 to 1, or what an own model or own numbers have in its place; the first rule that is met ends the run. On what is held out where evaluate.validation holds samples out, else on the test set; empty: no such rule</source>
            <translation>0 到 1 的比例，或自有模型、自有数据在该处的数值；最先满足的规则结束运行。若 evaluate.validation 留出样本，则按留出的样本，否则按测试集；空：无此规则</translation>
        </message>
        <message>
            <source>A grid of workers whose rows and columns close to rings.</source>
            <translation>行与列均闭合成环的工作节点网格。</translation>
        </message>
        <message>
            <source>A group's gradient counts 1 / gamma, gamma = 1 + updates by other groups meanwhile.</source>
            <translation>一组的梯度按 1 / gamma 计，gamma = 1 + 期间其他组的更新次数。</translation>
        </message>
        <message>
            <source>A line for each run over an axis for each field that varies and for each result.</source>
            <translation>每个运行一条线，跨越每个变化字段与每项结果的坐标轴。</translation>
        </message>
        <message>
            <source>A longer gradient is scaled down to this Euclidean norm; empty: never</source>
            <translation>更长的梯度会缩小到此欧几里得范数；留空：从不</translation>
        </message>
        <message>
            <source>A node that shows no sign of life for so long is ended by its host: the run fails, or goes on without it where its method can; 0: never</source>
            <translation>节点无响应达到此时长即由其主机结束：运行失败，或在方法允许时不带它继续；0：从不</translation>
        </message>
        <message>
            <source>a number of it (below);</source>
            <translation>它的一个数值（见下）；</translation>
        </message>
        <message>
            <source>a number of one of its nodes: `{{esync.w2.wait}}`;</source>
            <translation>其某个节点的一个数值：`{{esync.w2.wait}}`；</translation>
        </message>
        <message>
            <source>A Python file that ends with serve_torch(module) or serve(...) of paceline_objective: PyTorch, JAX, NumPy. It computes in a process of its own beside each worker.</source>
            <translation>一个 Python 文件，以 paceline_objective 的 serve_torch(module) 或 serve(...) 结尾：PyTorch、JAX、NumPy。它在每个工作节点旁的独立进程中计算。</translation>
        </message>
        <message>
            <source>A random connected graph: a random tree and random further pairs.</source>
            <translation>随机连通图：一棵随机树与若干随机边。</translation>
        </message>
        <message>
            <source>A report is a text file. It begins with a head, in which runs get short names:</source>
            <translation>报告是一个文本文件。它以头部开始，在其中给运行取短名：</translation>
        </message>
        <message>
            <source>A run that has lost a node it cannot do without goes on from its newest checkpoint by itself, as a new run, so often; one that has none yet begins again; 0: never: it stays failed</source>
            <translation>失去不可缺少的节点的运行会作为新的运行自行从最新的检查点继续，至多这么多次；尚无检查点的则重新开始；0：从不：保持失败</translation>
        </message>
        <message>
            <source>A seeded random permutation, cut into one part per worker; what does not divide evenly goes to the first workers.</source>
            <translation>由种子决定的随机排列，每个工作节点一份；不能整除的部分归前面的工作节点。</translation>
        </message>
        <message>
            <source>A server handles the values that come at this rate, counted as fp32; empty: as fast as it does; in a simulation at once</source>
            <translation>服务器按此速率处理到来的数值，以 fp32 计；留空：按其实际速度；模拟中为立即</translation>
        </message>
        <message>
            <source>A server that is killed, or ended for its silence, is started again by its host where it was, so often; the run goes on; 0: never: the run fails</source>
            <translation>被终止或因无响应而被结束的服务器由其主机在原状态重新启动，最多这么多次；运行继续进行；0：从不：运行失败</translation>
        </message>
        <message>
            <source>a setting of its document: `{{esync./batch_size}}`.</source>
            <translation>其文档的一个设置：`{{esync./batch_size}}`。</translation>
        </message>
        <message>
            <source>A slower device or link that the node pretends to be</source>
            <translation>节点所模拟的较慢设备或链路</translation>
        </message>
        <message>
            <source>A small decoder-only transformer over the characters of a text.</source>
            <translation>对文本字符的小型仅解码器 Transformer。</translation>
        </message>
        <message>
            <source>A step is rate · (gradient + momentum · v)</source>
            <translation>一步为 学习率 ·（梯度 + 动量 · v）</translation>
        </message>
        <message>
            <source>A step takes this many seconds; empty: as slowdown says</source>
            <translation>一步耗时的秒数；留空：按减速倍数</translation>
        </message>
        <message>
            <source>A step takes this many times as long as it does: 1 is the device as it is</source>
            <translation>一步耗时为原来的倍数：1 为设备原速</translation>
        </message>
        <message>
            <source>A text file; empty: sentences are made. A file of up to 256 MB travels with the run; a larger one must be there on every host.</source>
            <translation>文本文件；留空：生成句子。不超过 256 MB 的文件随运行传送；更大的须在每台主机上。</translation>
        </message>
        <message>
            <source>A worker waits this much longer for every batch; empty: no longer than it does</source>
            <translation>工作节点取每批数据额外等待的时间；留空：不额外等待</translation>
        </message>
        <message>
            <source>Accuracy to stop at</source>
            <translation>停止准确率</translation>
        </message>
        <message>
            <source>Accuracy, non-i.i.d.</source>
            <translation>准确率，非独立同分布</translation>
        </message>
        <message>
            <source>AD-PSGD</source>
            <translation>AD-PSGD</translation>
        </message>
        <message>
            <source>adaptive</source>
            <translation>自适应</translation>
        </message>
        <message>
            <source>Added to every gradient: decay · parameter. Of adamw: each step takes rate · decay of the parameter apart from it; 0: none</source>
            <translation>加到每个梯度上：衰减 · 参数。adamw：每步另外减去 学习率 · 衰减 · 参数；0：无</translation>
        </message>
        <message>
            <source>Added to every message the node sends</source>
            <translation>加到该节点发送的每条消息上</translation>
        </message>
        <message>
            <source>Added to the root of the squares; empty: 1e-8; of adagrad 1e-10</source>
            <translation>加到平方根上；留空：1e-8，adagrad 为 1e-10</translation>
        </message>
        <message>
            <source>ADMM-ISVR</source>
            <translation>ADMM-ISVR</translation>
        </message>
        <message>
            <source>After so many exchanges of a worker its answer is whole; 0: never. Published code: 150.</source>
            <translation>工作节点每经过这么多次交换，应答为完整内容；0：从不。发表的代码：150。</translation>
        </message>
        <message>
            <source>Against bandwidth</source>
            <translation>随带宽变化</translation>
        </message>
        <message>
            <source>Against workers</source>
            <translation>随工作节点数变化</translation>
        </message>
        <message>
            <source>Age per edge</source>
            <translation>各边陈旧度</translation>
        </message>
        <message>
            <source>AlexNet</source>
            <translation>AlexNet</translation>
        </message>
        <message>
            <source>AlexNet for CIFAR</source>
            <translation>用于 CIFAR 的 AlexNet</translation>
        </message>
        <message>
            <source>alpha in u &lt;- (1 - alpha) u + alpha v: 1 is PDMM, 1/2 is ADMM; smaller damps more.</source>
            <translation>u &lt;- (1 - alpha) u + alpha v 中的 alpha：1 为 PDMM，1/2 为 ADMM；越小阻尼越强。</translation>
        </message>
        <message>
            <source>An .npz, .npy, .safetensors or .csv file, or a folder of .npy files. A file of up to 256 MB travels with the run; a larger one, and a folder, must be there on every host.</source>
            <translation>.npz、.npy、.safetensors 或 .csv 文件，或 .npy 文件的文件夹。不超过 256 MB 的文件随运行传送；更大的文件和文件夹须在每台主机上。</translation>
        </message>
        <message>
            <source>An entry of the catalogue</source>
            <translation>目录中的条目</translation>
        </message>
        <message>
            <source>An evaluation on this node takes this many seconds; empty: as long as it does; in a simulation no time</source>
            <translation>在此节点上评估一次耗时的秒数；留空：按实际耗时；模拟中不耗时</translation>
        </message>
        <message>
            <source>Another seed gives another graph; the run's own seed does not change it.</source>
            <translation>不同种子给出不同的图；运行自身的种子不会改变它。</translation>
        </message>
        <message>
            <source>Answer</source>
            <translation>应答</translation>
        </message>
        <message>
            <source>Any number of images</source>
            <translation>任意图片数</translation>
        </message>
        <message>
            <source>As in the file</source>
            <translation>如文件中</translation>
        </message>
        <message>
            <source>as published</source>
            <translation>同发表版</translation>
        </message>
        <message>
            <source>ASGD</source>
            <translation>ASGD</translation>
        </message>
        <message>
            <source>ASGD that compensates each gradient for the delay it suffered.</source>
            <translation>对每个梯度所受延迟进行补偿的 ASGD。</translation>
        </message>
        <message>
            <source>ASGD that sends the largest entries of every layer and lets the rest add up.</source>
            <translation>只发送每层最大的元素、其余累积的 ASGD。</translation>
        </message>
        <message>
            <source>ASGD that throws away gradients which are too old.</source>
            <translation>丢弃过旧梯度的 ASGD。</translation>
        </message>
        <message>
            <source>asynchronous</source>
            <translation>异步</translation>
        </message>
        <message>
            <source>Asynchronous local training: changes are applied at once, the servers' momentum every few of them.</source>
            <translation>异步本地训练：变化立即应用，服务器的动量每隔若干次变化应用一次。</translation>
        </message>
        <message>
            <source>Asynchronous local training: servers apply changes several at a time, stale ones weighing less.</source>
            <translation>异步本地训练：服务器每次合并应用若干变化，越陈旧权重越小。</translation>
        </message>
        <message>
            <source>Asynchronous SGD: nobody waits for anybody, at the price of stale gradients.</source>
            <translation>异步 SGD：彼此互不等待，代价是梯度陈旧。</translation>
        </message>
        <message>
            <source>Augment</source>
            <translation>数据增强</translation>
        </message>
        <message>
            <source>Automatic</source>
            <translation>自动</translation>
        </message>
        <message>
            <source>Automatic: whole numbers beside 8 bits are tokens, bytes become 0 to 1. Numbers: floats.</source>
            <translation>自动：8 位以外的整数为词元，字节变为 0 到 1。数值：浮点数。</translation>
        </message>
        <message>
            <source>Bandwidth of the node's link in each direction; empty: not limited</source>
            <translation>节点链路各方向的带宽；留空：不限</translation>
        </message>
        <message>
            <source>batch</source>
            <translation>批</translation>
        </message>
        <message>
            <source>Batch time</source>
            <translation>取批时间</translation>
        </message>
        <message>
            <source>Before it piles up, a gradient is scaled down to this norm / sqrt(workers); 0: never.</source>
            <translation>累积之前，将梯度缩小到此范数 / sqrt(工作节点数)；0：从不。</translation>
        </message>
        <message>
            <source>Behind `run NAME:` stand ids, beginnings of ids, or names of runs; several with commas are seeds of one configuration, and their numbers become mean ± standard deviation. `target` is the accuracy of all times to a target.</source>
            <translation>`run NAME:` 之后写 id、id 的开头或运行的名称；用逗号分隔的多个是同一配置的种子，其数值成为均值 ± 标准差。`target` 是所有“达到目标的时间”所用的准确率。</translation>
        </message>
        <message>
            <source>bfloat16</source>
            <translation>bfloat16</translation>
        </message>
        <message>
            <source>Biases and normalisation layers decay too; they are usually left out</source>
            <translation>偏置与归一化层也衰减；通常不含它们</translation>
        </message>
        <message>
            <source>Binary blocks all-reduce</source>
            <translation>二进制块全规约</translation>
        </message>
        <message>
            <source>Blocks of attention and a dense layer.</source>
            <translation>由注意力和全连接层组成的块数。</translation>
        </message>
        <message>
            <source>Both ends begin</source>
            <translation>两端均发起</translation>
        </message>
        <message>
            <source>Bounded</source>
            <translation>有界</translation>
        </message>
        <message>
            <source>Buffer size</source>
            <translation>缓冲大小</translation>
        </message>
        <message>
            <source>Butterfly all-reduce</source>
            <translation>蝶形全规约</translation>
        </message>
        <message>
            <source>By a file of indices</source>
            <translation>按索引文件</translation>
        </message>
        <message>
            <source>By class (non-i.i.d.)</source>
            <translation>按类别（非独立同分布）</translation>
        </message>
        <message>
            <source>By ratio</source>
            <translation>按比例</translation>
        </message>
        <message>
            <source>By speed</source>
            <translation>按速度</translation>
        </message>
        <message>
            <source>Bytes per round</source>
            <translation>每轮字节数</translation>
        </message>
        <message>
            <source>Bytes that it received</source>
            <translation>它接收的字节数</translation>
        </message>
        <message>
            <source>Bytes that it sent</source>
            <translation>它发送的字节数</translation>
        </message>
        <message>
            <source>Bytes that its workers received</source>
            <translation>其工作节点接收的字节数</translation>
        </message>
        <message>
            <source>Bytes that its workers sent</source>
            <translation>其工作节点发送的字节数</translation>
        </message>
        <message>
            <source>Bytes that the workers send and receive in a second.</source>
            <translation>工作节点每秒收发的字节数。</translation>
        </message>
        <message>
            <source>Bytes that workers sent and received per second</source>
            <translation>工作节点每秒收发的字节数</translation>
        </message>
        <message>
            <source>Byzantine workers</source>
            <translation>拜占庭工作节点</translation>
        </message>
        <message>
            <source>Change at</source>
            <translation>变化于</translation>
        </message>
        <message>
            <source>Change every</source>
            <translation>变化间隔</translation>
        </message>
        <message>
            <source>Changes a momentum step</source>
            <translation>每步动量的变化数</translation>
        </message>
        <message>
            <source>Changes that are applied together (K). Published: 10.</source>
            <translation>一起应用的变化数（K）。论文：10。</translation>
        </message>
        <message>
            <source>Channels</source>
            <translation>通道数</translation>
        </message>
        <message>
            <source>Channels of a picture.</source>
            <translation>图片的通道数。</translation>
        </message>
        <message>
            <source>channels that group normalisation takes together; the number of groups is rounded up.</source>
            <translation>组归一化合并的通道数；组数向上取整。</translation>
        </message>
        <message>
            <source>Character GPT</source>
            <translation>字符 GPT</translation>
        </message>
        <message>
            <source>Character LSTM</source>
            <translation>字符 LSTM</translation>
        </message>
        <message>
            <source>Characters of a sample.</source>
            <translation>每个样本的字符数。</translation>
        </message>
        <message>
            <source>Characters that are made where no file is named.</source>
            <translation>未指定文件时生成的字符数。</translation>
        </message>
        <message>
            <source>Chunk</source>
            <translation>分块</translation>
        </message>
        <message>
            <source>cifar</source>
            <translation>cifar</translation>
        </message>
        <message>
            <source>cifar ps pytorch</source>
            <translation>cifar ps pytorch</translation>
        </message>
        <message>
            <source>CIFAR-10</source>
            <translation>CIFAR-10</translation>
        </message>
        <message>
            <source>CIFAR-100</source>
            <translation>CIFAR-100</translation>
        </message>
        <message>
            <source>Classes of each worker; more where a class would belong to nobody.</source>
            <translation>每个工作节点的类别数；若有类别无人持有则会更多。</translation>
        </message>
        <message>
            <source>Classes per worker</source>
            <translation>每节点类别数</translation>
        </message>
        <message>
            <source>Classes, or different numbers of a sequence; 0: one more than the largest.</source>
            <translation>类别数，或序列中不同数值的个数；0：最大值加一。</translation>
        </message>
        <message>
            <source>Classification</source>
            <translation>分类</translation>
        </message>
        <message>
            <source>Coefficients kept</source>
            <translation>保留的系数</translation>
        </message>
        <message>
            <source>Colour 32x32 pictures of a hundred kinds of things (the fine labels), 50 000 to train and 10 000 to test; by default cropped, flipped and normalised.</source>
            <translation>一百类物体（细粒度标签）的 32x32 彩色图片，50 000 张训练、10 000 张测试；默认裁剪、翻转与归一化。</translation>
        </message>
        <message>
            <source>Colour 32x32 pictures of digits on houses, 73 257 to train and 26 032 to test; by default cropped and normalised. The published code also flips them (augment: crop_flip), which makes other digits of some.</source>
            <translation>门牌数字的 32x32 彩色图片，73 257 张训练、26 032 张测试；默认裁剪与归一化。发表的代码还会翻转（augment: crop_flip），使某些数字变成另一些。</translation>
        </message>
        <message>
            <source>Colour 32x32 pictures of ten kinds of things, 50 000 to train and 10 000 to test; by default cropped, flipped and normalised as DGS does (ps_pytorch pads with reflect).</source>
            <translation>十类物体的 32x32 彩色图片，50 000 张训练、10 000 张测试；默认按 DGS 的方式裁剪、翻转与归一化（ps_pytorch 用反射填充）。</translation>
        </message>
        <message>
            <source>Columns of a picture.</source>
            <translation>图片的列数。</translation>
        </message>
        <message>
            <source>Columns of the factors; at most as many as a matrix has rows or columns. Published: 1 to 4.</source>
            <translation>因子的列数；不超过矩阵的行数或列数。论文取值：1 到 4。</translation>
        </message>
        <message>
            <source>common</source>
            <translation>公共</translation>
        </message>
        <message>
            <source>Compensation (lambda)</source>
            <translation>补偿系数（lambda）</translation>
        </message>
        <message>
            <source>Complete</source>
            <translation>完全图</translation>
        </message>
        <message>
            <source>Computing time</source>
            <translation>计算时间</translation>
        </message>
        <message>
            <source>Concentration</source>
            <translation>集中度</translation>
        </message>
        <message>
            <source>Concentration; the smaller, the fewer classes a worker has.</source>
            <translation>集中度；越小，每个工作节点的类别越少。</translation>
        </message>
        <message>
            <source>Consensus distance</source>
            <translation>一致性距离</translation>
        </message>
        <message>
            <source>Constant</source>
            <translation>恒定</translation>
        </message>
        <message>
            <source>Contiguous blocks</source>
            <translation>连续块</translation>
        </message>
        <message>
            <source>Cosine</source>
            <translation>余弦</translation>
        </message>
        <message>
            <source>cpu or a GPU of its host</source>
            <translation>cpu 或其主机的某个 GPU</translation>
        </message>
        <message>
            <source>CPU threads the node may use; a server divides its shards among them</source>
            <translation>节点可用的 CPU 线程；服务器将分片分给它们</translation>
        </message>
        <message>
            <source>crop</source>
            <translation>裁剪</translation>
        </message>
        <message>
            <source>crop and flip</source>
            <translation>裁剪与翻转</translation>
        </message>
        <message>
            <source>Crop padding</source>
            <translation>裁剪填充</translation>
        </message>
        <message>
            <source>D-SGD</source>
            <translation>D-SGD</translation>
        </message>
        <message>
            <source>DavidNet (ResNet-9)</source>
            <translation>DavidNet（ResNet-9）</translation>
        </message>
        <message>
            <source>DC-ASGD</source>
            <translation>DC-ASGD</translation>
        </message>
        <message>
            <source>Decay all</source>
            <translation>全部衰减</translation>
        </message>
        <message>
            <source>Decentralised and asynchronous: each worker averages with one random neighbour at a time, and nobody waits.</source>
            <translation>去中心化且异步：每个工作节点每次与一个随机选取的邻居求平均，谁都不等待。</translation>
        </message>
        <message>
            <source>Decentralised SGD: local steps, and averages with the neighbours where edges exchange.</source>
            <translation>去中心化 SGD：本地步，并在边交换时与邻居平均。</translation>
        </message>
        <message>
            <source>Decentralised: each worker pushes shares of its parameters one way, and a weight with them that takes out the graph's bias.</source>
            <translation>去中心化：每个工作节点单向推送其参数的份额，并附带一个权重，用来消除图带来的偏差。</translation>
        </message>
        <message>
            <source>Decentralised: local steps drawn towards dual vectors that neighbours exchange; exact consensus on unequal data.</source>
            <translation>去中心化：本地步被引向邻居交换的对偶向量；在不均匀数据上达到精确一致。</translation>
        </message>
        <message>
            <source>Decoupled momentum: each worker sends the few largest frequencies of its own momentum; the sign of their mean is the step.</source>
            <translation>解耦动量：每个工作节点只发送自身动量中最大的少数频率；它们均值的符号即为一步。</translation>
        </message>
        <message>
            <source>Deep gradient compression: velocities pile up and the largest are sent.</source>
            <translation>深度梯度压缩：速度不断累积，发送其中最大的。</translation>
        </message>
        <message>
            <source>Delay bound</source>
            <translation>延迟上限</translation>
        </message>
        <message>
            <source>Delayed Nesterov</source>
            <translation>Delayed Nesterov</translation>
        </message>
        <message>
            <source>DeMo</source>
            <translation>DeMo</translation>
        </message>
        <message>
            <source>Dense below</source>
            <translation>整体发送阈值</translation>
        </message>
        <message>
            <source>Densely connected blocks with growth 32 behind the ImageNet stem; group normalisation, only the last transition halves the size, as ECL has it.</source>
            <translation>ImageNet 主干后接增长率 32 的稠密连接块；组归一化，仅最后一个过渡层尺寸减半，同 ECL。</translation>
        </message>
        <message>
            <source>DenseNet-121 with group normalisation (ECL)</source>
            <translation>带组归一化的 DenseNet-121（ECL）</translation>
        </message>
        <message>
            <source>DenseNet-169 with group normalisation (ECL)</source>
            <translation>带组归一化的 DenseNet-169（ECL）</translation>
        </message>
        <message>
            <source>Deterministic</source>
            <translation>确定性</translation>
        </message>
        <message>
            <source>DGC</source>
            <translation>DGC</translation>
        </message>
        <message>
            <source>DGS</source>
            <translation>DGS</translation>
        </message>
        <message>
            <source>DGS over 100 Mbit/s</source>
            <translation>100 Mbit/s 上的 DGS</translation>
        </message>
        <message>
            <source>difference</source>
            <translation>差值</translation>
        </message>
        <message>
            <source>Differs</source>
            <translation>差异</translation>
        </message>
        <message>
            <source>DiLoCo</source>
            <translation>DiLoCo</translation>
        </message>
        <message>
            <source>Directed exponential</source>
            <translation>有向指数图</translation>
        </message>
        <message>
            <source>Dirichlet (non-i.i.d.)</source>
            <translation>Dirichlet（非独立同分布）</translation>
        </message>
        <message>
            <source>Distance of its workers at the last evaluation of their mean</source>
            <translation>最后一次评估均值时各工作节点的距离</translation>
        </message>
        <message>
            <source>document</source>
            <translation>文档</translation>
        </message>
        <message>
            <source>Double ring</source>
            <translation>双环</translation>
        </message>
        <message>
            <source>Draws those rows.</source>
            <translation>抽取这些行。</translation>
        </message>
        <message>
            <source>Drop rate</source>
            <translation>丢弃率</translation>
        </message>
        <message>
            <source>Drop remainder</source>
            <translation>丢弃余数</translation>
        </message>
        <message>
            <source>Dropout</source>
            <translation>Dropout</translation>
        </message>
        <message>
            <source>Dual-way gradient sparsification: the largest entries go up, the largest of what a worker lacks come down.</source>
            <translation>双向梯度稀疏化：上行发送最大的元素，下行发送工作节点所缺内容中最大的元素。</translation>
        </message>
        <message>
            <source>Each change counts 1 / sqrt(1 + its staleness).</source>
            <translation>每个变化的权重为 1 / sqrt(1 + 其陈旧度)。</translation>
        </message>
        <message>
            <source>Each end of a pair begins exchanges of its own, so that a pair has two in every interval at unequal distances, as the published ECL program does; slower for PDMM than one at equal distances.</source>
            <translation>一对的每一端都发起自己的交换，因此每个间隔有两次且间距不等，如发表的 ECL 程序；对 PDMM 而言比等距一次更慢。</translation>
        </message>
        <message>
            <source>Each gradient counts 1 / (1 + its staleness).</source>
            <translation>每个梯度按 1 /（1 + 其陈旧度）计。</translation>
        </message>
        <message>
            <source>Each number of a sample less its mean, over its deviation, of the training set.</source>
            <translation>样本的每个数值减去训练集的均值，再除以其标准差。</translation>
        </message>
        <message>
            <source>Each on a line of its own. Runs behind it are optional: without them it is of all in the head.</source>
            <translation>各占一行。其后的运行可省略：省略时为头部中的全部运行。</translation>
        </message>
        <message>
            <source>Each step takes one of these, drawn at random; they come before slowdown, step_s and jitter; empty: none: as the step time says</source>
            <translation>每步随机取其中之一；优先于 slowdown、step_s 和 jitter；留空：无：按单步时间</translation>
        </message>
        <message>
            <source>Each step's time varies by this fraction</source>
            <translation>每步时间按此比例波动</translation>
        </message>
        <message>
            <source>Each worker gets one stretch of the file in its own order, reshuffled every epoch: ESync's i.i.d. split.</source>
            <translation>每个工作节点按文件原序取一段，每个周期重新打乱：ESync 的独立同分布划分。</translation>
        </message>
        <message>
            <source>Each worker with every other.</source>
            <translation>每个工作节点与其他所有节点相连。</translation>
        </message>
        <message>
            <source>Each worker with the next one, the last with the first.</source>
            <translation>每个工作节点与下一个相连，末尾与首个相连。</translation>
        </message>
        <message>
            <source>Each worker with the next two: four neighbours each from five workers on.</source>
            <translation>每个工作节点与后两个相连：五个及以上工作节点时各有四个邻居。</translation>
        </message>
        <message>
            <source>Each worker with those 1, 2, 4 ... ahead of it, one after the other; methods that send one way send ahead alone.</source>
            <translation>每个工作节点依次与其前方第 1、2、4……个节点相连；单向发送的方法只向前方发送。</translation>
        </message>
        <message>
            <source>Each worker's change counts as it is, as published, or per step (FedNova), so that fast workers do not pull the model to their own optimum.</source>
            <translation>每个工作节点的变化按原样计入（论文做法），或按每步计入（FedNova），使快的节点不会把模型拉向自己的最优点。</translation>
        </message>
        <message>
            <source>Each worker's training samples by class: whether a split is i.i.d.</source>
            <translation>每个工作节点各类别的训练样本：划分是否独立同分布。</translation>
        </message>
        <message>
            <source>Early stopping: so many evaluations in a row were no better than the best before them; counted anew after a resume; empty: no such rule</source>
            <translation>早停：连续这么多次评估都不比之前最好的更好；恢复后重新计数；空：无此规则</translation>
        </message>
        <message>
            <source>Eleven blocks of parallel convolutions on 299x299 images, as ESync trains it: no auxiliary classifier, dropout 0.5 before the last layer; batch normalisation.</source>
            <translation>作用于 299x299 图片的十一个并行卷积块，如 ESync 所训练：无辅助分类器，最后一层前 dropout 0.5；批归一化。</translation>
        </message>
        <message>
            <source>Epsilon is a fraction of the slowest worker's step, or seconds.</source>
            <translation>epsilon 为最慢工作节点单步时间的比例，或秒数。</translation>
        </message>
        <message>
            <source>equal</source>
            <translation>均等</translation>
        </message>
        <message>
            <source>Equal stretches of every class, or ECL-ISVR's own assignment, class by class and sample by sample.</source>
            <translation>每个类别均分成段，或按 ECL-ISVR 自身逐类逐样本的分配。</translation>
        </message>
        <message>
            <source>Equal: the same step of every interval; random: a step drawn anew in every interval, the same at both ends.</source>
            <translation>equal：每个间隔的同一步；random：每个间隔重新抽取一步，两端相同。</translation>
        </message>
        <message>
            <source>ESync</source>
            <translation>ESync</translation>
        </message>
        <message>
            <source>ESync, one slow worker in four</source>
            <translation>ESync，四个工作节点中一个较慢</translation>
        </message>
        <message>
            <source>Evaluation time</source>
            <translation>评估时间</translation>
        </message>
        <message>
            <source>even</source>
            <translation>均分</translation>
        </message>
        <message>
            <source>Every worker holds samples of k classes only; neighbours' classes overlap.</source>
            <translation>每个工作节点只有 k 个类别的样本；邻居的类别有重叠。</translation>
        </message>
        <message>
            <source>Every worker takes the same number of local steps before all average their parameters.</source>
            <translation>每个工作节点先走相同数目的本地步，再共同平均参数。</translation>
        </message>
        <message>
            <source>Every worker trains on the whole set, each in its own random order: ps_pytorch's way.</source>
            <translation>每个工作节点在完整数据集上训练，各按自己的随机次序：ps_pytorch 的方式。</translation>
        </message>
        <message>
            <source>Exchange</source>
            <translation>交换</translation>
        </message>
        <message>
            <source>Exchange every</source>
            <translation>交换间隔</translation>
        </message>
        <message>
            <source>Exchange times</source>
            <translation>交换时刻</translation>
        </message>
        <message>
            <source>Factor</source>
            <translation>系数</translation>
        </message>
        <message>
            <source>Factor masking</source>
            <translation>因子掩蔽</translation>
        </message>
        <message>
            <source>Falls until</source>
            <translation>下降至</translation>
        </message>
        <message>
            <source>fashion mnist</source>
            <translation>fashion mnist</translation>
        </message>
        <message>
            <source>Fashion-MNIST</source>
            <translation>Fashion-MNIST</translation>
        </message>
        <message>
            <source>Fast workers take extra local steps while the slowest takes one; then all aggregate.</source>
            <translation>最慢者走一步期间，快的工作节点多走若干本地步；随后共同聚合。</translation>
        </message>
        <message>
            <source>Fast workers take more local steps; changes count per step, so that none pulls the model to its own optimum.</source>
            <translation>快的工作节点多做本地步；变化按每步计入，使谁都不会把模型拉向自己的最优点。</translation>
        </message>
        <message>
            <source>FedBuff</source>
            <translation>FedBuff</translation>
        </message>
        <message>
            <source>FedNova</source>
            <translation>FedNova</translation>
        </message>
        <message>
            <source>FedProx</source>
            <translation>FedProx</translation>
        </message>
        <message>
            <source>FedProx' pull to where the round began; 0: none.</source>
            <translation>FedProx 的拉力，指向本轮起点；0：无。</translation>
        </message>
        <message>
            <source>Fewest samples</source>
            <translation>最少样本数</translation>
        </message>
        <message>
            <source>Figures, tables and lanes</source>
            <translation>图、表与泳道</translation>
        </message>
        <message>
            <source>file</source>
            <translation>文件</translation>
        </message>
        <message>
            <source>File of indices</source>
            <translation>索引文件</translation>
        </message>
        <message>
            <source>finished, stopped, failed, running ...</source>
            <translation>完成、停止、失败、运行中……</translation>
        </message>
        <message>
            <source>First hidden layer</source>
            <translation>第一隐藏层</translation>
        </message>
        <message>
            <source>Five convolutions (11x11 stride 4, 5x5, three 3x3) with ReLU and 2x2 maxima, and one dense layer, as DGS trains it.</source>
            <translation>五个卷积（步幅 4 的 11x11、5x5、三个 3x3），带 ReLU 与 2x2 最大池化，以及一个全连接层，如 DGS 所训练。</translation>
        </message>
        <message>
            <source>Five convolutions (64, 192, 384, 256, 256) and dense layers of 4096, 4096 and one per class; dropout 0.5 after the first two.</source>
            <translation>五个卷积（64、192、384、256、256）与 4096、4096 及每类一个单元的全连接层；前两个之后 dropout 0.5。</translation>
        </message>
        <message>
            <source>flip</source>
            <translation>翻转</translation>
        </message>
        <message>
            <source>float16</source>
            <translation>float16</translation>
        </message>
        <message>
            <source>Floor</source>
            <translation>下限</translation>
        </message>
        <message>
            <source>Folder of pictures</source>
            <translation>图片文件夹</translation>
        </message>
        <message>
            <source>Folder with the four IDX files, gzip or not; empty: look in the usual places.</source>
            <translation>含四个 IDX 文件的文件夹，可为 gzip；留空：在常用位置查找。</translation>
        </message>
        <message>
            <source>Folder with train and val (or test), a folder a class in each; empty: look in the usual places.</source>
            <translation>含 train 与 val（或 test）的文件夹，其中每类一个文件夹；留空：在常用位置查找。</translation>
        </message>
        <message>
            <source>Folder with train_32x32.mat and test_32x32.mat; empty: look in the usual places.</source>
            <translation>含 train_32x32.mat 与 test_32x32.mat 的文件夹；留空：在常用位置查找。</translation>
        </message>
        <message>
            <source>fp16</source>
            <translation>fp16</translation>
        </message>
        <message>
            <source>fp32</source>
            <translation>fp32</translation>
        </message>
        <message>
            <source>fraction</source>
            <translation>比例</translation>
        </message>
        <message>
            <source>Frozen</source>
            <translation>冻结</translation>
        </message>
        <message>
            <source>Global learning rate</source>
            <translation>全局学习率</translation>
        </message>
        <message>
            <source>Goes on by itself</source>
            <translation>自行继续</translation>
        </message>
        <message>
            <source>Gradient and update</source>
            <translation>梯度与更新</translation>
        </message>
        <message>
            <source>Gradient dropping</source>
            <translation>梯度丢弃</translation>
        </message>
        <message>
            <source>Gradient norm</source>
            <translation>梯度范数</translation>
        </message>
        <message>
            <source>Gradients per step</source>
            <translation>每步梯度数</translation>
        </message>
        <message>
            <source>Gradients that are this many updates old, or older, are thrown away (R).</source>
            <translation>落后这么多次更新或更多的梯度被丢弃（R）。</translation>
        </message>
        <message>
            <source>Graph seed</source>
            <translation>图种子</translation>
        </message>
        <message>
            <source>grey</source>
            <translation>灰色</translation>
        </message>
        <message>
            <source>Grey 28x28 pictures of handwritten digits, 60 000 to train and 10 000 to test; pixels scaled to [0, 1].</source>
            <translation>手写数字的 28x28 灰度图片，60 000 张训练、10 000 张测试；像素缩放到 [0, 1]。</translation>
        </message>
        <message>
            <source>Grey 28x28 pictures of ten kinds of clothing, 60 000 to train and 10 000 to test; pixels scaled to [0, 1].</source>
            <translation>十类服饰的 28x28 灰度图片，60 000 张训练、10 000 张测试；像素缩放到 [0, 1]。</translation>
        </message>
        <message>
            <source>group</source>
            <translation>组</translation>
        </message>
        <message>
            <source>Group channels</source>
            <translation>每组通道数</translation>
        </message>
        <message>
            <source>Grouping SGD</source>
            <translation>分组 SGD</translation>
        </message>
        <message>
            <source>Grouping-SGD, two speeds</source>
            <translation>分组 SGD，两种速度</translation>
        </message>
        <message>
            <source>Groups from</source>
            <translation>分组来源</translation>
        </message>
        <message>
            <source>half</source>
            <translation>一半</translation>
        </message>
        <message>
            <source>Halving and doubling in blocks of powers of two that hand their sums on: as few steps for 5, 6 or 7 workers as for 4.</source>
            <translation>在 2 的幂大小的块内减半与加倍，并将和向下传递：5、6、7 个工作节点与 4 个所需步数同样少。</translation>
        </message>
        <message>
            <source>He</source>
            <translation>He</translation>
        </message>
        <message>
            <source>Heads</source>
            <translation>头数</translation>
        </message>
        <message>
            <source>Heads of an attention.</source>
            <translation>注意力的头数。</translation>
        </message>
        <message>
            <source>How a step uses a gradient, as in PyTorch. sgd: rate · gradient, or its velocity; adam, adamw: the rate divided by a running root mean square; adagrad: by the root of the sum of all squares</source>
            <translation>一步如何使用梯度，与 PyTorch 相同。sgd：学习率 · 梯度或其速度；adam、adamw：学习率除以滑动均方根；adagrad：除以全部平方和的根</translation>
        </message>
        <message>
            <source>How coefficients travel. What fp16 rounds off stays in the momentum.</source>
            <translation>系数的传输格式。fp16 舍去的部分留在动量中。</translation>
        </message>
        <message>
            <source>How dense pushes travel</source>
            <translation>稠密推送的传输方式</translation>
        </message>
        <message>
            <source>How far a round moves the parameters, over time, rounds, epochs, samples or traffic.</source>
            <translation>一轮把参数移动多远，随时间、轮数、周期、样本数或通信量变化。</translation>
        </message>
        <message>
            <source>How far apart the workers of a decentralised method are, over time, rounds, samples or traffic.</source>
            <translation>去中心化方法中工作节点之间的距离，随时间、轮数、样本数或通信量变化。</translation>
        </message>
        <message>
            <source>How gradients and contributions travel. fp32: as they are; fp16: half; int8: a quarter, with a scale for each piece</source>
            <translation>梯度与贡献的传输格式。fp32：原样；fp16：一半；int8：四分之一，每段带一个缩放系数</translation>
        </message>
        <message>
            <source>How kept values travel, both ways. What fp16 rounds off a push stays with the worker for the next.</source>
            <translation>保留值在双向上的传输格式。fp16 在推送中舍去的部分留在工作节点，供下次使用。</translation>
        </message>
        <message>
            <source>How long workers' gradients are, over time, rounds, epochs, samples or traffic.</source>
            <translation>工作节点的梯度有多长，随时间、轮数、周期、样本数或通信量变化。</translation>
        </message>
        <message>
            <source>How many changes come between two steps of the momentum (N); 0: as many as there are workers.</source>
            <translation>动量每两步之间的变化数（N）；0：与工作节点数相同。</translation>
        </message>
        <message>
            <source>How many clocks a worker may be ahead of the slowest when it starts the next; 0 is lock-step.</source>
            <translation>工作节点开始下一轮时最多可领先最慢者多少个时钟；0 即完全同步。</translation>
        </message>
        <message>
            <source>How many gradients a step takes, at most the number of workers; 0: one of every worker.</source>
            <translation>每步采用多少个梯度，至多为工作节点数；0：每个工作节点一个。</translation>
        </message>
        <message>
            <source>How methods that aggregate add up their workers' vectors</source>
            <translation>聚合类方法如何累加工作节点的向量</translation>
        </message>
        <message>
            <source>How much earlier than the slowest a worker stops; below 0: how much later it may. Published: 0.5 seconds.</source>
            <translation>工作节点比最慢者提前多少停止；小于 0：允许晚多少。发表版：0.5 秒。</translation>
        </message>
        <message>
            <source>How much of what a worker learns is where all go: cosine between its gradients and the update.</source>
            <translation>工作节点所学与大家走向的一致程度：其梯度与更新之间的余弦。</translation>
        </message>
        <message>
            <source>How much sooner than the reference (SSGD, unless another is chosen) a run reaches the target accuracy.</source>
            <translation>运行比参照（默认为 SSGD）提早多少达到目标准确率。</translation>
        </message>
        <message>
            <source>How old a neighbour's vector is when a decentralised method uses it, for each direction of an edge.</source>
            <translation>去中心化方法使用邻居向量时其陈旧程度，按边的每个方向。</translation>
        </message>
        <message>
            <source>How old the parameters were that gradients belong to: the share of rounds by updates that others made meanwhile.</source>
            <translation>梯度所对应参数的陈旧程度：按期间其他节点更新次数统计的轮次占比。</translation>
        </message>
        <message>
            <source>How servers combine gradients: by coordinate the median, or the mean without the largest and smallest; the gradient that is nearest to the others, or the mean of the nearest.</source>
            <translation>服务器如何合成梯度：逐坐标取中位数，或去掉最大和最小值后的均值；取与其他梯度最接近的一个，或最接近的若干个的均值。</translation>
        </message>
        <message>
            <source>How strongly a step is drawn to the neighbours: common (the same at both ends of an edge) reaches the optimum of the mean cost on every graph; the paper's and the published program's weigh workers by their number of neighbours unless all have the same.</source>
            <translation>本地步被引向邻居的强度：common（边的两端相同）在任何图上都达到平均代价的最优；论文与发表程序的方式按邻居数给工作节点加权，除非各节点邻居数相同。</translation>
        </message>
        <message>
            <source>How the data are split</source>
            <translation>数据如何划分</translation>
        </message>
        <message>
            <source>How the method's rates change with the samples that are trained</source>
            <translation>方法的学习率如何随训练样本变化</translation>
        </message>
        <message>
            <source>How the published setting differs from the document's; empty: it does not</source>
            <translation>发表时的设置与本文档有何不同；空：没有不同</translation>
        </message>
        <message>
            <source>identity</source>
            <translation>恒等</translation>
        </message>
        <message>
            <source>imagenet</source>
            <translation>imagenet</translation>
        </message>
        <message>
            <source>In truth a ResNet-34 behind the ImageNet stem (7x7 stride 2, pooling: 32 pixels a side become 8) with group normalisation and dropout; the small ResNet-32 for CIFAR is resnet32.</source>
            <translation>实为 ImageNet 主干（步幅 2 的 7x7，池化：边长 32 像素变为 8）后的 ResNet-34，带组归一化与 dropout；用于 CIFAR 的小型 ResNet-32 是 resnet32。</translation>
        </message>
        <message>
            <source>In what a step computes. Parameters, gradients, the exchange and evaluations stay 32-bit floats. bf16: faster where the processor has instructions for it; fp16: on GPUs, with loss scaling.</source>
            <translation>一步用什么精度计算。参数、梯度、交换和评估仍是 32 位浮点数。bf16：处理器有相应指令时更快；fp16：只在 GPU 上，带损失缩放。</translation>
        </message>
        <message>
            <source>Inception v3</source>
            <translation>Inception v3</translation>
        </message>
        <message>
            <source>Inception-BN-28 small</source>
            <translation>Inception-BN-28 small</translation>
        </message>
        <message>
            <source>Inputs</source>
            <translation>输入</translation>
        </message>
        <message>
            <source>Inputs and targets of any shape in .npz, .npy, safetensors or CSV files: classes, numbers (regression) or sequences of whole numbers.</source>
            <translation>.npz、.npy、safetensors 或 CSV 文件中任意形状的输入和目标：类别、数值（回归）或整数序列。</translation>
        </message>
        <message>
            <source>Inputs as</source>
            <translation>输入作为</translation>
        </message>
        <message>
            <source>Its id</source>
            <translation>其 id</translation>
        </message>
        <message>
            <source>Its name</source>
            <translation>其名称</translation>
        </message>
        <message>
            <source>Its name in logs and figures</source>
            <translation>它在日志与图中的名称</translation>
        </message>
        <message>
            <source>Its parameters; what is left out has its default</source>
            <translation>其参数；省略的取默认值</translation>
        </message>
        <message>
            <source>Its rounds</source>
            <translation>其轮数</translation>
        </message>
        <message>
            <source>JPEG and PNG pictures of any size in train/CLASS and val/CLASS (or test/CLASS), the layout of ImageNet; decoded while training.</source>
            <translation>train/类别 与 val/类别（或 test/类别）中任意大小的 JPEG 与 PNG 图片，即 ImageNet 的布局；训练时解码。</translation>
        </message>
        <message>
            <source>JSON, list i the samples of the document's worker i, counted from 0 in the data set's order: [[0, 5, 7], [1, 2]]. Each sample at most once; those in no list are not trained.</source>
            <translation>JSON，第 i 个列表是文档中第 i 个工作节点的样本，按数据集的顺序从 0 编号：[[0, 5, 7], [1, 2]]。每个样本至多一次；不在任何列表里的样本不参与训练。</translation>
        </message>
        <message>
            <source>k classes per worker (non-i.i.d.)</source>
            <translation>每个工作节点 k 类（非独立同分布）</translation>
        </message>
        <message>
            <source>Keep weights</source>
            <translation>保留权重</translation>
        </message>
        <message>
            <source>Kept fraction</source>
            <translation>保留比例</translation>
        </message>
        <message>
            <source>Kept of the answer</source>
            <translation>应答保留比例</translation>
        </message>
        <message>
            <source>Kept part follows</source>
            <translation>保留比例跟随</translation>
        </message>
        <message>
            <source>Kinds of pictures.</source>
            <translation>图片的类别数。</translation>
        </message>
        <message>
            <source>Krum</source>
            <translation>Krum</translation>
        </message>
        <message>
            <source>Label distribution</source>
            <translation>标签分布</translation>
        </message>
        <message>
            <source>Last drop rate</source>
            <translation>最后一层丢弃率</translation>
        </message>
        <message>
            <source>Latency</source>
            <translation>延迟</translation>
        </message>
        <message>
            <source>Layers</source>
            <translation>层数</translation>
        </message>
        <message>
            <source>Layers with fewer entries are sent whole: biases and norms cost next to nothing.</source>
            <translation>元素少于此数的层整体发送：偏置与归一化几乎不耗通信量。</translation>
        </message>
        <message>
            <source>Layers, one on the other.</source>
            <translation>层数，逐层叠加。</translation>
        </message>
        <message>
            <source>Learn</source>
            <translation>实际学习</translation>
        </message>
        <message>
            <source>Learning rate</source>
            <translation>学习率</translation>
        </message>
        <message>
            <source>learning rate</source>
            <translation>学习率</translation>
        </message>
        <message>
            <source>Leave out the last samples that do not divide evenly, as ESync does; off: the first workers get one more each.</source>
            <translation>略去末尾不能整除的样本，同 ESync；关闭：前面的工作节点各多得一个。</translation>
        </message>
        <message>
            <source>Leave pictures that do not decode out of their batch, named and counted, instead of ending the run.</source>
            <translation>将无法解码的图片移出其批次并记名计数，而不结束运行。</translation>
        </message>
        <message>
            <source>left: nobody trains on its samples. divided: each of the others trains on its part of them, too, from its next epoch on and until it takes part again</source>
            <translation>left：其样本不再有人训练。divided：其余每个工作节点从各自的下一轮数据（epoch）起也训练其中属于自己的一份，直到该节点重新参与</translation>
        </message>
        <message>
            <source>LeNet 20-50-500</source>
            <translation>LeNet 20-50-500</translation>
        </message>
        <message>
            <source>LeNet-5</source>
            <translation>LeNet-5</translation>
        </message>
        <message>
            <source>Length</source>
            <translation>长度</translation>
        </message>
        <message>
            <source>LibTorch's own</source>
            <translation>LibTorch 自带</translation>
        </message>
        <message>
            <source>Lists of workers' ids, of methods with groups; every worker is in one</source>
            <translation>工作节点标识的列表，用于分组方法；每个工作节点属于其中之一</translation>
        </message>
        <message>
            <source>Live numbers</source>
            <translation>实时数值</translation>
        </message>
        <message>
            <source>Loader threads</source>
            <translation>加载线程数</translation>
        </message>
        <message>
            <source>Local learning rate</source>
            <translation>本地学习率</translation>
        </message>
        <message>
            <source>Local SGD</source>
            <translation>Local SGD</translation>
        </message>
        <message>
            <source>Local SGD whose averages have a slow momentum.</source>
            <translation>平均值带慢动量的本地 SGD。</translation>
        </message>
        <message>
            <source>Local SGD whose local steps are pulled back to where the round began.</source>
            <translation>本地步被拉回本轮起点的本地 SGD。</translation>
        </message>
        <message>
            <source>Local steps a round, mean</source>
            <translation>每轮本地步数，平均</translation>
        </message>
        <message>
            <source>Local steps between two averagings.</source>
            <translation>两次平均之间的本地步数。</translation>
        </message>
        <message>
            <source>Local steps between two exchanges of a pair of neighbours (K in the papers).</source>
            <translation>一对邻居两次交换之间的本地步数（论文中的 K）。</translation>
        </message>
        <message>
            <source>Local steps between two exchanges. Published: 500.</source>
            <translation>两次交换之间的本地步数。论文：500。</translation>
        </message>
        <message>
            <source>Local steps between two pushes of a worker.</source>
            <translation>一个工作节点两次推送之间的本地步数。</translation>
        </message>
        <message>
            <source>Local steps between two sends of a worker. A send goes to one neighbour, so each of three neighbours ahead gets one in 3 x every steps.</source>
            <translation>一个工作节点两次发送之间的本地步数。每次只发给一个邻居，因此前方有三个邻居时，每个邻居每 3 倍该步数收到一次。</translation>
        </message>
        <message>
            <source>Local steps corrected by how a worker's gradients differ from everybody's; two vectors a round.</source>
            <translation>按工作节点梯度与全体梯度之差修正本地步；每轮交换两个向量。</translation>
        </message>
        <message>
            <source>Local steps of the fastest worker between two averagings.</source>
            <translation>最快的工作节点两次平均之间的本地步数。</translation>
        </message>
        <message>
            <source>Local steps of the fastest worker between two pushes (H).</source>
            <translation>最快的工作节点两次推送之间的本地步数（H）。</translation>
        </message>
        <message>
            <source>Logistic regression</source>
            <translation>逻辑回归</translation>
        </message>
        <message>
            <source>Long short-term memory over the characters of a text.</source>
            <translation>对文本字符的长短期记忆网络。</translation>
        </message>
        <message>
            <source>Longest side of the squares whose frequencies are taken; a side divides its dimension.</source>
            <translation>取频率的方块的最长边；边长整除其所在维度。</translation>
        </message>
        <message>
            <source>Longest wait</source>
            <translation>最长等待</translation>
        </message>
        <message>
            <source>Loss</source>
            <translation>损失</translation>
        </message>
        <message>
            <source>Lost after</source>
            <translation>丢失于</translation>
        </message>
        <message>
            <source>Makes those.</source>
            <translation>用于生成这些字符。</translation>
        </message>
        <message>
            <source>Many local steps between two exchanges, then an outer step with Nesterov momentum on the mean change.</source>
            <translation>两次交换之间做许多本地步，然后对平均变化做一步带 Nesterov 动量的外层更新。</translation>
        </message>
        <message>
            <source>Markdown: `# heading` to `####`, paragraphs, `- item`, `1. item`, `**bold**`, `*emphasis*`, `` `code` ``, `[words](https://address)`, and lines of code between ```` ``` ````. A backslash takes the next sign as it is: `\{{`.</source>
            <translation>Markdown：`# heading` 到 `####`、段落、`- item`、`1. item`、`**bold**`、`*emphasis*`、`` `code` ``、`[words](https://address)`，以及 ```` ``` ```` 之间的代码行。反斜杠使下一个符号保持原样：`\{{`。</translation>
        </message>
        <message>
            <source>Mbit/s</source>
            <translation>Mbit/s</translation>
        </message>
        <message>
            <source>Mean</source>
            <translation>均值</translation>
        </message>
        <message>
            <source>Mean and deviation per channel that pixels in [0, 1] are normalised by; half: (x - 0.5) / 0.5.</source>
            <translation>将 [0, 1] 像素归一化所用的各通道均值与标准差；half：(x - 0.5) / 0.5。</translation>
        </message>
        <message>
            <source>Mean neighbours</source>
            <translation>平均邻居数</translation>
        </message>
        <message>
            <source>median</source>
            <translation>中位数</translation>
        </message>
        <message>
            <source>metropolis</source>
            <translation>metropolis</translation>
        </message>
        <message>
            <source>Metropolis weights, averaged at exchanges (the method of the papers on any graph); uniform weights 1/(1 + neighbours); as_published averages stale copies at every step as ECL's program does: that, and its evaluation inside the training loop, is where the published gap to PDMM-ISVR comes from.</source>
            <translation>metropolis 权重，在交换时平均（论文在任意图上的方法）；uniform 权重 1/(1 + 邻居数)；as_published 如 ECL 程序那样每步平均陈旧副本：这一点及其在训练循环内评估，正是发表结果与 PDMM-ISVR 差距的来源。</translation>
        </message>
        <message>
            <source>Mixing</source>
            <translation>混合方式</translation>
        </message>
        <message>
            <source>MNIST</source>
            <translation>MNIST</translation>
        </message>
        <message>
            <source>mnist</source>
            <translation>mnist</translation>
        </message>
        <message>
            <source>MobileNet v1</source>
            <translation>MobileNet v1</translation>
        </message>
        <message>
            <source>MobileNet v2</source>
            <translation>MobileNet v2</translation>
        </message>
        <message>
            <source>Momentum decay</source>
            <translation>动量衰减</translation>
        </message>
        <message>
            <source>ms</source>
            <translation>ms</translation>
        </message>
        <message>
            <source>multi-Krum</source>
            <translation>multi-Krum</translation>
        </message>
        <message>
            <source>Multi-layer perceptron</source>
            <translation>多层感知机</translation>
        </message>
        <message>
            <source>Multi-step</source>
            <translation>多阶梯</translation>
        </message>
        <message>
            <source>mxnet</source>
            <translation>mxnet</translation>
        </message>
        <message>
            <source>Name of the array of inputs, its rows are samples; x_train where there is one. Several names, or * for all others, are joined columns.</source>
            <translation>输入数组的名称，每行一个样本；有 x_train 时用它。多个名称，或用 * 表示其余全部，合并为列。</translation>
        </message>
        <message>
            <source>Name of the array of targets.</source>
            <translation>目标数组的名称。</translation>
        </message>
        <message>
            <source>Neighbours per worker on average; never fewer than a tree has.</source>
            <translation>每个工作节点的平均邻居数；不少于树的邻居数。</translation>
        </message>
        <message>
            <source>Nesterov momentum of the outer steps.</source>
            <translation>外层更新的 Nesterov 动量。</translation>
        </message>
        <message>
            <source>Nine pre-activation blocks of 16, 32 and 64 channels behind a 3x3 convolution, as MXNet-G trains it on CIFAR-10.</source>
            <translation>3x3 卷积后接九个 16、32、64 通道的预激活块，如 MXNet-G 在 CIFAR-10 上所训练。</translation>
        </message>
        <message>
            <source>Nine-layer residual net that learns CIFAR-10 in few epochs: 3x3 convolutions with batch normalisation and 2x2 maxima; scores times 0.125, as DGS has it.</source>
            <translation>几个周期即可学会 CIFAR-10 的九层残差网络：带批归一化与 2x2 最大池化的 3x3 卷积；得分乘以 0.125，同 DGS。</translation>
        </message>
        <message>
            <source>No: a simulation of times and bytes alone, in which nobody computes and vectors have sizes but no values; there is no loss and no accuracy</source>
            <translation>否：仅模拟时间与字节，不做计算，向量有大小而无数值；没有损失与准确率</translation>
        </message>
        <message>
            <source>No: nobody ever waits, whatever the bound says, which is ASGD.</source>
            <translation>否：无论上限如何都不等待，即 ASGD。</translation>
        </message>
        <message>
            <source>Noise</source>
            <translation>噪声</translation>
        </message>
        <message>
            <source>Norm</source>
            <translation>归一化</translation>
        </message>
        <message>
            <source>Normalisation over the batch, or over groups of channels of one picture.</source>
            <translation>在批上归一化，或在单张图片的通道组上归一化。</translation>
        </message>
        <message>
            <source>Number of groups</source>
            <translation>组数</translation>
        </message>
        <message>
            <source>Numbers</source>
            <translation>数值</translation>
        </message>
        <message>
            <source>Numbers can be calculated with `+ - * / ( )`, and written with other decimals and another unit behind them: `{{ssgd.time_to_target / esync.time_to_target : 2}}`, `{{esync.best_accuracy - ssgd.best_accuracy : 1 %}}`, `{{esync.wall_time / 60 : 0 min}}`. A unit is a word: only `%` multiplies, by 100; `none` leaves it out. What a run did not reach is written as "not reached". `{{target}}` and `{{made}}` are the target and the time of making. A run without a short name is written as its id, or in quotes: `{{"demo ssgd seed 1".rounds}}`.</source>
            <translation>数值可用 `+ - * / ( )` 计算，并可写成其他小数位数、其后带其他单位：`{{ssgd.time_to_target / esync.time_to_target : 2}}`、`{{esync.best_accuracy - ssgd.best_accuracy : 1 %}}`、`{{esync.wall_time / 60 : 0 min}}`。单位只是一个词：只有 `%` 会乘以 100；`none` 将其省去。运行未达到的写作“not reached”。`{{target}}` 和 `{{made}}` 是目标和生成时间。没有短名的运行写作其 id，或写在引号中：`{{"demo ssgd seed 1".rounds}}`。</translation>
        </message>
        <message>
            <source>Numbers of a node</source>
            <translation>节点的数值</translation>
        </message>
        <message>
            <source>Numbers of a place; a multiple of the heads.</source>
            <translation>每个位置的数值个数；须为头数的倍数。</translation>
        </message>
        <message>
            <source>Numbers of a run</source>
            <translation>运行的数值</translation>
        </message>
        <message>
            <source>Numbers of a state.</source>
            <translation>状态的数值个数。</translation>
        </message>
        <message>
            <source>Of adam and adamw: share of the mean gradient that a step keeps</source>
            <translation>用于 adam 和 adamw：一步保留的平均梯度的比例</translation>
        </message>
        <message>
            <source>Of adam and adamw: share of the mean square that a step keeps</source>
            <translation>用于 adam 和 adamw：一步保留的均方的比例</translation>
        </message>
        <message>
            <source>Of each worker's own momentum, less what it has sent.</source>
            <translation>每个工作节点自身的动量，减去已发送的部分。</translation>
        </message>
        <message>
            <source>Of every chunk, the largest first.</source>
            <translation>每个分块中，取最大者优先。</translation>
        </message>
        <message>
            <source>Of every class, workers get random proportions: alpha 100 is nearly i.i.d., 0.1 leaves most workers with a few classes.</source>
            <translation>每个类别按随机比例分给工作节点：alpha 为 100 时接近独立同分布，0.1 时多数工作节点只有少数类别。</translation>
        </message>
        <message>
            <source>Of everything random; runs that differ only in it form a group</source>
            <translation>一切随机性的种子；仅种子不同的运行构成一组</translation>
        </message>
        <message>
            <source>Of methods that aggregate</source>
            <translation>用于聚合类方法</translation>
        </message>
        <message>
            <source>Of the data between nodes. auto: none on one host, else the faster of the next two that all hosts have. aes_gcm: needs AES instructions; a node's key that is stolen while the run lasts opens what was recorded of its traffic, too. curve: slower, with forward secrecy: connections have keys of their own, and a stolen key opens nothing recorded. plain: none, on one host only</source>
            <translation>节点间数据的保护。auto：单台主机时不保护，否则取后两种中所有主机都支持的较快者。aes_gcm：需要 AES 指令；运行期间密钥若被窃，已录下的通信也会被解开。curve：较慢，具有前向保密：各连接有自己的密钥，被窃密钥解不开已录内容。plain：不保护，仅限单台主机</translation>
        </message>
        <message>
            <source>Of the draw; -1: the document's, so that every seed of a suite has a split of its own.</source>
            <translation>抽取所用；-1：使用文档的种子，使实验组中每个种子有各自的划分。</translation>
        </message>
        <message>
            <source>Of the published variant's random stream; its comparison used 11.</source>
            <translation>发表版变体的随机流种子；其对比使用 11。</translation>
        </message>
        <message>
            <source>Of the rows, where there is no test set.</source>
            <translation>占行数的比例，没有测试集时使用。</translation>
        </message>
        <message>
            <source>Of the servers, applied once every few changes (beta).</source>
            <translation>服务器的动量，每隔若干次变化应用一次（beta）。</translation>
        </message>
        <message>
            <source>Of the text, its end.</source>
            <translation>占文本末尾的比例。</translation>
        </message>
        <message>
            <source>Of the velocity that piles up instead of the gradient; 0: no momentum correction.</source>
            <translation>代替梯度进行累积的速度的动量；0：无动量修正。</translation>
        </message>
        <message>
            <source>Of the worker that evaluates; empty: no such rule</source>
            <translation>以评估的工作节点计；留空：无此规则</translation>
        </message>
        <message>
            <source>One dense layer with soft-max: convex, fast, good for checking algorithms.</source>
            <translation>一个带 soft-max 的全连接层：凸、快速，适合检验算法。</translation>
        </message>
        <message>
            <source>One or two hidden dense layers with ReLU.</source>
            <translation>一或两个带 ReLU 的全连接隐藏层。</translation>
        </message>
        <message>
            <source>One worker trains alone; the reference line of every comparison.</source>
            <translation>单个工作节点独自训练；各种对比的参照线。</translation>
        </message>
        <message>
            <source>Only kernels that give the same bits in every run, where LibTorch has them: slower on GPUs. Runs in virtual time always do.</source>
            <translation>仅使用每次运行结果逐位相同的内核（若 LibTorch 提供）：在 GPU 上较慢。虚拟时间的运行总是如此。</translation>
        </message>
        <message>
            <source>Order</source>
            <translation>次序</translation>
        </message>
        <message>
            <source>Outer learning rate</source>
            <translation>外层学习率</translation>
        </message>
        <message>
            <source>Outer momentum</source>
            <translation>外层动量</translation>
        </message>
        <message>
            <source>Pairs of workers that exchange: ["w0", "w1", {"every": 8, "offset": 0}]</source>
            <translation>相互交换的工作节点对：["w0", "w1", {"every": 8, "offset": 0}]</translation>
        </message>
        <message>
            <source>paper</source>
            <translation>论文</translation>
        </message>
        <message>
            <source>Parameter server</source>
            <translation>参数服务器</translation>
        </message>
        <message>
            <source>parameters</source>
            <translation>参数</translation>
        </message>
        <message>
            <source>Part of every layer's entries that a push sends, the largest first.</source>
            <translation>每次推送发送的各层元素比例，最大者优先。</translation>
        </message>
        <message>
            <source>Part of every layer's entries that an answer sends.</source>
            <translation>应答发送的各层元素比例。</translation>
        </message>
        <message>
            <source>Participation</source>
            <translation>参与比例</translation>
        </message>
        <message>
            <source>Parts of chosen sizes, so that slow workers have less to do: by the nodes' shares or by MXNet-G's file data_sharding.</source>
            <translation>按选定大小划分，使慢的工作节点任务较少：按节点份额或 MXNet-G 的 data_sharding 文件。</translation>
        </message>
        <message>
            <source>Path</source>
            <translation>路径</translation>
        </message>
        <message>
            <source>Patience</source>
            <translation>耐心</translation>
        </message>
        <message>
            <source>PDMM-ISVR</source>
            <translation>PDMM-ISVR</translation>
        </message>
        <message>
            <source>PDMM-ISVR on a ring of six</source>
            <translation>六节点环上的 PDMM-ISVR</translation>
        </message>
        <message>
            <source>PDMM-ISVR with dual vectors averaged at every exchange: slower, but damped where exchanges are irregular.</source>
            <translation>每次交换时平均对偶向量的 PDMM-ISVR：较慢，但在交换不规则时有阻尼。</translation>
        </message>
        <message>
            <source>per step</source>
            <translation>按每步</translation>
        </message>
        <message>
            <source>Pictures of any size made from the seed: a random pattern per class plus noise. Needs no files.</source>
            <translation>由种子生成的任意大小图片：每类一个随机图案加噪声。无需文件。</translation>
        </message>
        <message>
            <source>Pictures to test on.</source>
            <translation>用于测试的图片。</translation>
        </message>
        <message>
            <source>Pictures to train on.</source>
            <translation>用于训练的图片。</translation>
        </message>
        <message>
            <source>PowerSGD</source>
            <translation>PowerSGD</translation>
        </message>
        <message>
            <source>Precision</source>
            <translation>精度</translation>
        </message>
        <message>
            <source>projection</source>
            <translation>投影</translation>
        </message>
        <message>
            <source>Proximal term (mu)</source>
            <translation>近端项（mu）</translation>
        </message>
        <message>
            <source>Published seed</source>
            <translation>发表版种子</translation>
        </message>
        <message>
            <source>Published values</source>
            <translation>发表值</translation>
        </message>
        <message>
            <source>Published: DGS, ResNet-18, CIFAR-10, 16 workers</source>
            <translation>发表版：DGS、ResNet-18、CIFAR-10、16 个工作节点</translation>
        </message>
        <message>
            <source>Published: Grouping-SGD, Inception-BN small, CIFAR-10</source>
            <translation>发表版：分组 SGD、Inception-BN small、CIFAR-10</translation>
        </message>
        <message>
            <source>Published: PDMM-ISVR, 8 of 10 classes, double ring</source>
            <translation>发表版：PDMM-ISVR、10 类取 8、双环</translation>
        </message>
        <message>
            <source>Published: ps_pytorch, ResNet-18, CIFAR-10, 8 workers</source>
            <translation>发表版：ps_pytorch、ResNet-18、CIFAR-10、8 个工作节点</translation>
        </message>
        <message>
            <source>Pulls local steps back to where the round began (FedProx); 0: none.</source>
            <translation>把本地步拉回本轮起点（FedProx）；0：无。</translation>
        </message>
        <message>
            <source>Quick synthetic check</source>
            <translation>快速合成数据检验</translation>
        </message>
        <message>
            <source>Random (i.i.d.)</source>
            <translation>随机（独立同分布）</translation>
        </message>
        <message>
            <source>Rank</source>
            <translation>秩</translation>
        </message>
        <message>
            <source>Recorded metric</source>
            <translation>记录的指标</translation>
        </message>
        <message>
            <source>Recursive halving and doubling: ranks swap halves in log2 N steps and back; few steps, so good for small models and slow answers.</source>
            <translation>递归减半与加倍：各节点以 log2 N 步交换半数再返回；步数少，适合小模型与高延迟。</translation>
        </message>
        <message>
            <source>reflect</source>
            <translation>反射</translation>
        </message>
        <message>
            <source>Regression</source>
            <translation>回归</translation>
        </message>
        <message>
            <source>Relaxation</source>
            <translation>松弛系数</translation>
        </message>
        <message>
            <source>Reshuffle a worker's own samples every epoch; ESync does not, so its batches hold one class.</source>
            <translation>每个周期重新打乱工作节点自身的样本；ESync 不打乱，因此其批次只含一个类别。</translation>
        </message>
        <message>
            <source>Reshuffle a worker's own samples every epoch; off: they come in the order of the file.</source>
            <translation>每个周期重新打乱工作节点自身的样本；关闭：按文件中的顺序。</translation>
        </message>
        <message>
            <source>Residual network of 15 basic blocks with 16, 32 and 64 channels: small, made for 32x32 pictures.</source>
            <translation>15 个 16、32、64 通道基本块的残差网络：小型，为 32x32 图片设计。</translation>
        </message>
        <message>
            <source>Residual network of 27 basic blocks with 16, 32 and 64 channels: small, made for 32x32 pictures.</source>
            <translation>27 个 16、32、64 通道基本块的残差网络：小型，为 32x32 图片设计。</translation>
        </message>
        <message>
            <source>Residual network of 54 basic blocks with 16, 32 and 64 channels: small, made for 32x32 pictures.</source>
            <translation>54 个 16、32、64 通道基本块的残差网络：小型，为 32x32 图片设计。</translation>
        </message>
        <message>
            <source>Residual network of 9 basic blocks with 16, 32 and 64 channels: small, made for 32x32 pictures.</source>
            <translation>9 个 16、32、64 通道基本块的残差网络：小型，为 32x32 图片设计。</translation>
        </message>
        <message>
            <source>Residual network of basic blocks behind a 3x3 stem without pooling, as DGS and ps_pytorch train it.</source>
            <translation>无池化的 3x3 主干后接基本块的残差网络，如 DGS 与 ps_pytorch 所训练。</translation>
        </message>
        <message>
            <source>Residual network of bottleneck blocks behind a 3x3 stem without pooling, as DGS and ps_pytorch train it.</source>
            <translation>无池化的 3x3 主干后接瓶颈块的残差网络，如 DGS 与 ps_pytorch 所训练。</translation>
        </message>
        <message>
            <source>Residual network of eight basic blocks behind the ImageNet stem, as ESync trains it; batch normalisation.</source>
            <translation>ImageNet 主干后接八个基本块的残差网络，如 ESync 所训练；批归一化。</translation>
        </message>
        <message>
            <source>Residual network of sixteen bottlenecks behind the ImageNet stem, as ESync trains it: stride on the first 1x1 convolution, biases in the 1x1 ones.</source>
            <translation>ImageNet 主干后接十六个瓶颈块的残差网络，如 ESync 所训练：步幅在首个 1x1 卷积，1x1 卷积带偏置。</translation>
        </message>
        <message>
            <source>Resize</source>
            <translation>缩放</translation>
        </message>
        <message>
            <source>resized crop and flip</source>
            <translation>缩放裁剪与翻转</translation>
        </message>
        <message>
            <source>ResNet-101 for CIFAR</source>
            <translation>用于 CIFAR 的 ResNet-101</translation>
        </message>
        <message>
            <source>ResNet-110 for CIFAR</source>
            <translation>用于 CIFAR 的 ResNet-110</translation>
        </message>
        <message>
            <source>ResNet-152 for CIFAR</source>
            <translation>用于 CIFAR 的 ResNet-152</translation>
        </message>
        <message>
            <source>ResNet-164</source>
            <translation>ResNet-164</translation>
        </message>
        <message>
            <source>ResNet-18 for CIFAR</source>
            <translation>用于 CIFAR 的 ResNet-18</translation>
        </message>
        <message>
            <source>ResNet-18 v1</source>
            <translation>ResNet-18 v1</translation>
        </message>
        <message>
            <source>ResNet-20 for CIFAR</source>
            <translation>用于 CIFAR 的 ResNet-20</translation>
        </message>
        <message>
            <source>ResNet-20 v2</source>
            <translation>ResNet-20 v2</translation>
        </message>
        <message>
            <source>ResNet-32 for CIFAR</source>
            <translation>用于 CIFAR 的 ResNet-32</translation>
        </message>
        <message>
            <source>ResNet-34 for CIFAR</source>
            <translation>用于 CIFAR 的 ResNet-34</translation>
        </message>
        <message>
            <source>ResNet-50 for CIFAR</source>
            <translation>用于 CIFAR 的 ResNet-50</translation>
        </message>
        <message>
            <source>ResNet-50 v1</source>
            <translation>ResNet-50 v1</translation>
        </message>
        <message>
            <source>ResNet-50 v2</source>
            <translation>ResNet-50 v2</translation>
        </message>
        <message>
            <source>ResNet-56 for CIFAR</source>
            <translation>用于 CIFAR 的 ResNet-56</translation>
        </message>
        <message>
            <source>Restarts of a server</source>
            <translation>服务器重启次数</translation>
        </message>
        <message>
            <source>Restarts of a worker</source>
            <translation>工作节点重启次数</translation>
        </message>
        <message>
            <source>Ring</source>
            <translation>环形</translation>
        </message>
        <message>
            <source>Ring all-reduce</source>
            <translation>环形全规约</translation>
        </message>
        <message>
            <source>Ringmaster ASGD</source>
            <translation>Ringmaster ASGD</translation>
        </message>
        <message>
            <source>Robust SSGD</source>
            <translation>鲁棒 SSGD</translation>
        </message>
        <message>
            <source>Rounds between two checkpoints, from which the run can be resumed; 0: never</source>
            <translation>两个检查点之间的轮数，可从检查点继续运行；0：从不</translation>
        </message>
        <message>
            <source>Rounds between two evaluations on the test set; 0: never</source>
            <translation>两次测试集评估之间的轮数；0：从不</translation>
        </message>
        <message>
            <source>Rounds between two records of how long gradients and updates are and of the cosine between them; 0: never</source>
            <translation>两次记录之间的轮数：梯度和更新有多长，以及它们之间的余弦；0：从不</translation>
        </message>
        <message>
            <source>Rounds between two records of what crossed each link, counted on each level; 0: at the run's end</source>
            <translation>每隔多少轮记录一次各链路上通过的数据量（逐层计数）；0：运行结束时</translation>
        </message>
        <message>
            <source>Rounds of a warm-up stage: 25 % kept, then a quarter of it each; 0: none. Paper: an epoch.</source>
            <translation>每个预热阶段的轮数：先保留 25 %，之后每阶段取四分之一；0：无预热。论文：一个周期。</translation>
        </message>
        <message>
            <source>Rounds of its coordinator</source>
            <translation>协调节点的轮数</translation>
        </message>
        <message>
            <source>Rounds to stop after</source>
            <translation>停止轮数</translation>
        </message>
        <message>
            <source>Rows</source>
            <translation>行数</translation>
        </message>
        <message>
            <source>Rows of a picture.</source>
            <translation>图片的行数。</translation>
        </message>
        <message>
            <source>Rows of the grid; must divide the number of workers; 0: as square as possible.</source>
            <translation>网格的行数；须整除工作节点数；0：尽可能接近正方形。</translation>
        </message>
        <message>
            <source>Rule</source>
            <translation>规则</translation>
        </message>
        <message>
            <source>s</source>
            <translation>s</translation>
        </message>
        <message>
            <source>SAMomentum: what is left of an entry when it has been sent.</source>
            <translation>SAMomentum：元素发送后剩余的部分。</translation>
        </message>
        <message>
            <source>Samples in a mini-batch of one worker</source>
            <translation>单个工作节点一个小批的样本数</translation>
        </message>
        <message>
            <source>samples of all workers</source>
            <translation>个样本（全体）</translation>
        </message>
        <message>
            <source>Samples of all workers between two changes.</source>
            <translation>两次变化之间所有工作节点的样本数。</translation>
        </message>
        <message>
            <source>Samples of all workers until the floor.</source>
            <translation>到达下限前所有工作节点的样本数。</translation>
        </message>
        <message>
            <source>Samples of all workers, growing, with commas between them.</source>
            <translation>所有工作节点的样本数，递增，以逗号分隔。</translation>
        </message>
        <message>
            <source>Samples sorted by class and cut into one stretch per worker, so each worker sees few classes: ESync's non-i.i.d. split.</source>
            <translation>样本按类别排序并切成每个工作节点一段，因此每个工作节点只见到少数类别：ESync 的非独立同分布划分。</translation>
        </message>
        <message>
            <source>Samples that all workers together train in a second.</source>
            <translation>所有工作节点每秒合计训练的样本数。</translation>
        </message>
        <message>
            <source>Samples that all workers trained per second</source>
            <translation>所有工作节点每秒训练的样本数</translation>
        </message>
        <message>
            <source>Samples that it trained</source>
            <translation>它训练的样本数</translation>
        </message>
        <message>
            <source>Samples that its workers trained</source>
            <translation>其工作节点训练的样本数</translation>
        </message>
        <message>
            <source>Samples to stop after</source>
            <translation>停止样本数</translation>
        </message>
        <message>
            <source>SCAFFOLD</source>
            <translation>SCAFFOLD</translation>
        </message>
        <message>
            <source>Second hidden layer</source>
            <translation>第二隐藏层</translation>
        </message>
        <message>
            <source>seconds</source>
            <translation>秒</translation>
        </message>
        <message>
            <source>Seconds from its start to its end</source>
            <translation>从开始到结束的秒数</translation>
        </message>
        <message>
            <source>Seconds of all its rounds</source>
            <translation>其所有轮的秒数</translation>
        </message>
        <message>
            <source>Seconds of evaluations</source>
            <translation>评估的秒数</translation>
        </message>
        <message>
            <source>Seconds of forward and backward passes</source>
            <translation>前向与反向传播的秒数</translation>
        </message>
        <message>
            <source>Seconds of silence</source>
            <translation>无响应秒数</translation>
        </message>
        <message>
            <source>Seconds of waiting</source>
            <translation>等待的秒数</translation>
        </message>
        <message>
            <source>Seconds to stop after</source>
            <translation>停止秒数</translation>
        </message>
        <message>
            <source>Seconds without a desktop</source>
            <translation>无桌面跟踪秒数</translation>
        </message>
        <message>
            <source>Seed of the split</source>
            <translation>划分的种子</translation>
        </message>
        <message>
            <source>Seed of the text</source>
            <translation>文本的种子</translation>
        </message>
        <message>
            <source>Send every</source>
            <translation>发送间隔</translation>
        </message>
        <message>
            <source>senders</source>
            <translation>发送者</translation>
        </message>
        <message>
            <source>Sequence</source>
            <translation>序列</translation>
        </message>
        <message>
            <source>Server rate</source>
            <translation>服务器速率</translation>
        </message>
        <message>
            <source>Seventeen inverted residual bottlenecks at width 1, as ESync trains it; batch normalisation, ReLU6, no bias anywhere.</source>
            <translation>宽度 1 的十七个倒残差瓶颈块，如 ESync 所训练；批归一化，ReLU6，均无偏置。</translation>
        </message>
        <message>
            <source>SGP</source>
            <translation>SGP</translation>
        </message>
        <message>
            <source>Share of its time that each worker computes instead of waiting and communicating.</source>
            <translation>每个工作节点用于计算（而非等待与通信）的时间占比。</translation>
        </message>
        <message>
            <source>Share of its time that was computing</source>
            <translation>它用于计算的时间占比</translation>
        </message>
        <message>
            <source>Share of its workers' time that was computing</source>
            <translation>其工作节点用于计算的时间占比</translation>
        </message>
        <message>
            <source>Share of the gradient's elements that sparse methods send, as their warm-up and thresholds made it.</source>
            <translation>稀疏方法发送的梯度元素比例，取决于其预热与阈值。</translation>
        </message>
        <message>
            <source>Share of the mean change that the servers take.</source>
            <translation>服务器采用的平均变化的比例。</translation>
        </message>
        <message>
            <source>Share of the values that a sparse method sent</source>
            <translation>稀疏方法发送的值的占比</translation>
        </message>
        <message>
            <source>Share of the workers that take part in a round, drawn anew in each; rounded up. The others wait, send no values and take the result. Below 1 the aggregation must have a server.</source>
            <translation>每轮参与的工作节点比例，每轮重新抽取，向上取整。其余节点等待，不发送数值，只接收结果。低于 1 时聚合方式必须有服务器。</translation>
        </message>
        <message>
            <source>Share of the workers' mean change that the global model takes.</source>
            <translation>全局模型采纳工作节点平均变化的比例。</translation>
        </message>
        <message>
            <source>Share of units left out before each of the two dense layers of 512.</source>
            <translation>两个 512 单元全连接层之前被略去的单元比例。</translation>
        </message>
        <message>
            <source>Share of units left out behind each dense layer of 4096.</source>
            <translation>每个 4096 单元全连接层之后被略去的单元比例。</translation>
        </message>
        <message>
            <source>Share of values left out before the dense layer.</source>
            <translation>全连接层之前被略去的数值比例。</translation>
        </message>
        <message>
            <source>Share of values left out behind each layer of a dense block.</source>
            <translation>稠密块每层之后被略去的数值比例。</translation>
        </message>
        <message>
            <source>Share of whole maps left out behind the stem and the first three stages.</source>
            <translation>主干与前三个阶段之后整张特征图被略去的比例。</translation>
        </message>
        <message>
            <source>Shared (everyone sees everything)</source>
            <translation>共享（人人可见全部）</translation>
        </message>
        <message>
            <source>Shortcut</source>
            <translation>捷径连接</translation>
        </message>
        <message>
            <source>Shuffle</source>
            <translation>打乱</translation>
        </message>
        <message>
            <source>Side in pixels of the square that pictures are resized to (bilinear); 0: 224.</source>
            <translation>图片缩放成的正方形边长，像素（双线性）；0：224。</translation>
        </message>
        <message>
            <source>Side in pixels of the square that pictures are resized to (bilinear); 0: as it is.</source>
            <translation>图片缩放成的正方形边长，像素（双线性）；0：保持原样。</translation>
        </message>
        <message>
            <source>Sign</source>
            <translation>符号</translation>
        </message>
        <message>
            <source>Since the first round of the worker that evaluates; empty: no such rule</source>
            <translation>自评估的工作节点的第一轮起；留空：无此规则</translation>
        </message>
        <message>
            <source>Sixteen pre-activation bottlenecks behind the ImageNet stem, as ESync trains it; the input is normalised first, without trained scale or shift.</source>
            <translation>ImageNet 主干后接十六个预激活瓶颈块，如 ESync 所训练；输入先归一化，无可训练的缩放或平移。</translation>
        </message>
        <message>
            <source>Size of a step, which is a sign; without signs the step size on the mean.</source>
            <translation>每步（取符号）的大小；不取符号时为均值的步长。</translation>
        </message>
        <message>
            <source>Skip broken</source>
            <translation>跳过损坏图片</translation>
        </message>
        <message>
            <source>Slow learning rate</source>
            <translation>慢学习率</translation>
        </message>
        <message>
            <source>Slow momentum</source>
            <translation>慢动量</translation>
        </message>
        <message>
            <source>Slower workers take fewer steps, measured by a warm-up step. No: all take the same number, which is local SGD.</source>
            <translation>较慢的工作节点做较少的步，速度由预热步测得。否：所有节点步数相同，即本地 SGD。</translation>
        </message>
        <message>
            <source>Slower workers take fewer steps, measured by a warm-up step. No: all take the same number.</source>
            <translation>较慢的工作节点做较少的步，速度由预热步测得。否：所有节点步数相同。</translation>
        </message>
        <message>
            <source>SlowMo</source>
            <translation>SlowMo</translation>
        </message>
        <message>
            <source>speed</source>
            <translation>速度</translation>
        </message>
        <message>
            <source>Speed-up</source>
            <translation>加速比</translation>
        </message>
        <message>
            <source>Spread exchanges</source>
            <translation>分散交换</translation>
        </message>
        <message>
            <source>SSGD</source>
            <translation>SSGD</translation>
        </message>
        <message>
            <source>SSGD with backup workers</source>
            <translation>带后备工作节点的 SSGD</translation>
        </message>
        <message>
            <source>SSGD, one slow worker in four</source>
            <translation>SSGD，四个工作节点中一个较慢</translation>
        </message>
        <message>
            <source>SSP</source>
            <translation>SSP</translation>
        </message>
        <message>
            <source>Stale synchronous parallel: asynchronous, but nobody runs more than a bound ahead of the slowest.</source>
            <translation>陈旧同步并行：异步，但不得领先最慢者超过上限。</translation>
        </message>
        <message>
            <source>Staleness bound</source>
            <translation>陈旧度上限</translation>
        </message>
        <message>
            <source>Staleness, mean</source>
            <translation>陈旧度，平均</translation>
        </message>
        <message>
            <source>Stand-alone baseline</source>
            <translation>单机基线</translation>
        </message>
        <message>
            <source>Stand-alone SGD</source>
            <translation>单机 SGD</translation>
        </message>
        <message>
            <source>Standard deviation of the pixel noise; black to white is 1.</source>
            <translation>像素噪声的标准差；黑到白为 1。</translation>
        </message>
        <message>
            <source>Standardise</source>
            <translation>标准化</translation>
        </message>
        <message>
            <source>Star</source>
            <translation>星形</translation>
        </message>
        <message>
            <source>Start of a gradient's delay: the weights that its worker pulled (paper, adaptive), or those before anyone's latest update (mxnet). Adaptive divides lambda by the root mean square of the gradients.</source>
            <translation>梯度延迟的起点：其工作节点拉取的权重（paper、adaptive），或任何节点最近一次更新之前的权重（mxnet）。adaptive 将 lambda 除以梯度的均方根。</translation>
        </message>
        <message>
            <source>Start of the duals</source>
            <translation>对偶初值</translation>
        </message>
        <message>
            <source>Starting weights</source>
            <translation>初始权重</translation>
        </message>
        <message>
            <source>Starting weights: MXNet's Xavier (uniform, average, 3), He's normal, or LibTorch's own.</source>
            <translation>初始权重：MXNet 的 Xavier（uniform, average, 3）、He 正态，或 LibTorch 自带。</translation>
        </message>
        <message>
            <source>Step</source>
            <translation>阶梯</translation>
        </message>
        <message>
            <source>Step size</source>
            <translation>步长</translation>
        </message>
        <message>
            <source>Step size mu of the local steps.</source>
            <translation>本地步的步长 mu。</translation>
        </message>
        <message>
            <source>Step size of every single push.</source>
            <translation>每次推送的步长。</translation>
        </message>
        <message>
            <source>Step size of the local steps.</source>
            <translation>本地步的步长。</translation>
        </message>
        <message>
            <source>Step size of the slow momentum, in units of the local one.</source>
            <translation>慢动量的步长，以本地步长为单位。</translation>
        </message>
        <message>
            <source>Step size on a group's mean gradient.</source>
            <translation>对一组平均梯度的步长。</translation>
        </message>
        <message>
            <source>Step size on the batch-mean gradient.</source>
            <translation>对批平均梯度的步长。</translation>
        </message>
        <message>
            <source>Step size on the changes.</source>
            <translation>应用变化的步长。</translation>
        </message>
        <message>
            <source>Step size on the combined gradient.</source>
            <translation>合成梯度上的步长。</translation>
        </message>
        <message>
            <source>Step size on the mean change of a round.</source>
            <translation>对一轮平均变化的步长。</translation>
        </message>
        <message>
            <source>Step size on the mean gradient as its factors have it.</source>
            <translation>由因子还原的平均梯度上的步长。</translation>
        </message>
        <message>
            <source>Step size on the mean of all workers' batch-mean gradients.</source>
            <translation>对所有工作节点批平均梯度之均值的步长。</translation>
        </message>
        <message>
            <source>Step size on the mean of the gradients that count.</source>
            <translation>对所计梯度均值的步长。</translation>
        </message>
        <message>
            <source>Step time</source>
            <translation>单步时间</translation>
        </message>
        <message>
            <source>Step times</source>
            <translation>单步时间列表</translation>
        </message>
        <message>
            <source>Steps that each worker takes on its own in every round: ESync's balancing at work.</source>
            <translation>每个工作节点每轮自行走的步数：ESync 的均衡效果。</translation>
        </message>
        <message>
            <source>Strength of the compensation, for batch-mean gradients; 0 is ASGD. Adaptive: its numerator, 2 in the paper.</source>
            <translation>补偿强度，针对批平均梯度；0 即 ASGD。自适应时为其分子，论文中取 2。</translation>
        </message>
        <message>
            <source>Strength of the pull; 0 is local SGD.</source>
            <translation>拉力的强度；0 即本地 SGD。</translation>
        </message>
        <message>
            <source>Stretches of a seeded permutation, or of the data set's own order as in MXNet-G.</source>
            <translation>取自种子排列的区间，或如 MXNet-G 取自数据集原有次序。</translation>
        </message>
        <message>
            <source>Sums climb a binomial tree to worker 0 and the mean comes back down; few steps, but worker 0's link carries log2 N vectors.</source>
            <translation>部分和沿二项树上传至工作节点 0，均值再向下返回；步数少，但节点 0 的链路需承载 log2 N 个向量。</translation>
        </message>
        <message>
            <source>SVHN</source>
            <translation>SVHN</translation>
        </message>
        <message>
            <source>synchronous</source>
            <translation>同步</translation>
        </message>
        <message>
            <source>Synchronous inside groups of workers of like speed, asynchronous between groups, stale groups weighing less.</source>
            <translation>速度相近的工作节点在组内同步，组间异步，陈旧的组权重较低。</translation>
        </message>
        <message>
            <source>Synchronous SGD by the median, trimmed mean or Krum's choice of the gradients: a few wrong workers do not spoil it.</source>
            <translation>同步 SGD，取梯度的中位数、截尾均值或 Krum 的选择：少数出错的工作节点不会破坏训练。</translation>
        </message>
        <message>
            <source>Synchronous SGD that exchanges two thin factors of each gradient matrix; what they leave out waits.</source>
            <translation>同步 SGD，只交换每个梯度矩阵的两个低秩因子；未包含的部分留待以后。</translation>
        </message>
        <message>
            <source>Synchronous SGD that takes the first gradients of every step and drops those of the slowest workers.</source>
            <translation>每步采用最先到达的梯度、丢弃最慢工作节点梯度的同步 SGD。</translation>
        </message>
        <message>
            <source>Synchronous SGD: gradients are averaged every step, so the slowest worker sets the pace.</source>
            <translation>同步 SGD：每步平均梯度，因此由最慢的工作节点决定速度。</translation>
        </message>
        <message>
            <source>Synchronous: both ends of an edge wait for each other at the same local step; asynchronous: nobody waits, a vector is used at the next step boundary after it has come. PDMM (relaxation 1) then needs intervals of several steps: with an answer about as late as the next exchange it diverges; ADMM does not.</source>
            <translation>同步：边的两端在同一本地步互相等待；异步：互不等待，向量到达后在下一步边界使用。此时 PDMM（松弛系数 1）需要多步的间隔：若应答几乎晚到下一次交换则会发散；ADMM 不会。</translation>
        </message>
        <message>
            <source>Synthetic</source>
            <translation>合成数据</translation>
        </message>
        <message>
            <source>Take files with another number of images than the published ones have: a subset made on purpose.</source>
            <translation>接受图片数与发布版不同的文件：有意制作的子集。</translation>
        </message>
        <message>
            <source>Targets</source>
            <translation>目标</translation>
        </message>
        <message>
            <source>Task</source>
            <translation>任务</translation>
        </message>
        <message>
            <source>Ten blocks of 1x1 beside 3x3 convolutions on 28x28 images, as MXNet-G trains it on CIFAR; norms with a fixed scale.</source>
            <translation>作用于 28x28 图片的十个 1x1 与 3x3 并行卷积块，如 MXNet-G 在 CIFAR 上所训练；归一化缩放固定。</translation>
        </message>
        <message>
            <source>Test accuracy over time, rounds, epochs, samples or traffic, with the stand-alone accuracy as a dashed line.</source>
            <translation>测试准确率随时间、轮数、周期、样本数或通信量变化，虚线为单机准确率。</translation>
        </message>
        <message>
            <source>Test file</source>
            <translation>测试文件</translation>
        </message>
        <message>
            <source>Test fraction</source>
            <translation>测试比例</translation>
        </message>
        <message>
            <source>Test loss over time, rounds, epochs, samples or traffic.</source>
            <translation>测试损失随时间、轮数、周期、样本数或通信量变化。</translation>
        </message>
        <message>
            <source>Test samples</source>
            <translation>测试样本数</translation>
        </message>
        <message>
            <source>Text, character by character</source>
            <translation>文本（逐字符）</translation>
        </message>
        <message>
            <source>The accuracy of the last evaluation</source>
            <translation>最后一次评估的准确率</translation>
        </message>
        <message>
            <source>The beginning of the document's hash</source>
            <translation>文档哈希的开头</translation>
        </message>
        <message>
            <source>The best accuracy of its evaluations</source>
            <translation>各次评估中的最高准确率</translation>
        </message>
        <message>
            <source>The corrections stay zero, which is local SGD.</source>
            <translation>修正量保持为零，即本地 SGD。</translation>
        </message>
        <message>
            <source>The data set</source>
            <translation>数据集</translation>
        </message>
        <message>
            <source>The document's groups, or groups of workers of like speed formed from a warm-up step of each.</source>
            <translation>文档中的分组，或由各节点预热步得出的速度相近分组。</translation>
        </message>
        <message>
            <source>The dual vectors' start: zero, as the paper has it, first draws the parameters towards 0; parameters starts at the fixed point of no gradient, gentler on deep networks.</source>
            <translation>对偶向量的初值：zero 如论文所述，起初将参数拉向 0；parameters 从无梯度的不动点开始，对深层网络更平缓。</translation>
        </message>
        <message>
            <source>The edges that the document lists.</source>
            <translation>文档列出的边。</translation>
        </message>
        <message>
            <source>The first worker with every other.</source>
            <translation>第一个工作节点与其他所有节点相连。</translation>
        </message>
        <message>
            <source>The folder cifar-10-batches-bin, a folder with cifar-10-binary.tar.gz, or that archive itself; empty: look in the usual places.</source>
            <translation>文件夹 cifar-10-batches-bin、含 cifar-10-binary.tar.gz 的文件夹，或该压缩包本身；留空：在常用位置查找。</translation>
        </message>
        <message>
            <source>The folder cifar-100-binary, a folder with cifar-100-binary.tar.gz, or that archive itself; empty: look in the usual places.</source>
            <translation>文件夹 cifar-100-binary、含 cifar-100-binary.tar.gz 的文件夹，或该压缩包本身；留空：在常用位置查找。</translation>
        </message>
        <message>
            <source>The loss of the last evaluation</source>
            <translation>最后一次评估的损失</translation>
        </message>
        <message>
            <source>The method</source>
            <translation>方法</translation>
        </message>
        <message>
            <source>The model</source>
            <translation>模型</translation>
        </message>
        <message>
            <source>The network</source>
            <translation>网络模型</translation>
        </message>
        <message>
            <source>The next character of a text, at every place of a sequence. Of a file, or of sentences that are made from a seed. Its last part is the test set.</source>
            <translation>文本的下一个字符，在序列的每个位置。来自文件，或由种子生成的句子。末尾部分为测试集。</translation>
        </message>
        <message>
            <source>The pairs' exchanges are spread over the interval, pair after pair; false: all pairs exchange at the same step.</source>
            <translation>各对的交换在间隔内依次分散；false：所有对在同一步交换。</translation>
        </message>
        <message>
            <source>The paper, and its table or figure</source>
            <translation>论文及其表或图</translation>
        </message>
        <message>
            <source>The processes of the run; workers have ranks in this order</source>
            <translation>运行的各进程；工作节点按此次序编号</translation>
        </message>
        <message>
            <source>The Python file. It is code: it is confirmed once with its command, and the run goes on with exactly that content.</source>
            <translation>Python 文件。它是代码：与其命令一起确认一次，运行只用完全相同的内容。</translation>
        </message>
        <message>
            <source>The rates are multiplied by a factor at each of the given numbers of samples of all workers.</source>
            <translation>在给定的各个总样本数处，学习率乘以一个系数。</translation>
        </message>
        <message>
            <source>The rates are multiplied by a factor every so many samples of all workers.</source>
            <translation>所有工作节点每训练一定样本数，学习率乘以一个系数。</translation>
        </message>
        <message>
            <source>The rates fall along half a cosine to a floor and stay there.</source>
            <translation>学习率沿半个余弦下降到下限并保持。</translation>
        </message>
        <message>
            <source>The rates grow linearly until that many samples are trained; 0: no warm-up.</source>
            <translation>学习率线性增长，直至训练了这么多样本；0：无预热。</translation>
        </message>
        <message>
            <source>The rates stay as they are, after a warm-up if there is one.</source>
            <translation>学习率保持不变，如有预热则在其之后。</translation>
        </message>
        <message>
            <source>The run ends with the first rule that is met; at least one is needed</source>
            <translation>运行在最先满足的规则处结束；至少需要一条</translation>
        </message>
        <message>
            <source>The run's hosts end it when nobody has followed it for so long; empty: never</source>
            <translation>无人跟踪达到此时长，运行的主机即结束它；留空：从不</translation>
        </message>
        <message>
            <source>The same for runs whose workers hold different classes.</source>
            <translation>同上，针对工作节点类别不同的运行。</translation>
        </message>
        <message>
            <source>The same for the test set; empty: arrays that end in _test, else a part of the others.</source>
            <translation>测试集同理；留空：以 _test 结尾的数组，否则取其余数组的一部分。</translation>
        </message>
        <message>
            <source>The same of each layer's weights and biases, too</source>
            <translation>每层的权重和偏置也各记录一份</translation>
        </message>
        <message>
            <source>The seed, or those of several runs</source>
            <translation>种子，或多个运行的种子</translation>
        </message>
        <message>
            <source>The share of the rates that stays.</source>
            <translation>保留的学习率比例。</translation>
        </message>
        <message>
            <source>The share of the rates that the warm-up begins with.</source>
            <translation>预热起始时占学习率的比例。</translation>
        </message>
        <message>
            <source>The step is the sign of the mean, as published.</source>
            <translation>按论文，每步取均值的符号。</translation>
        </message>
        <message>
            <source>The TorchScript file. It is code: each one is confirmed once, and the run goes on with exactly that content.</source>
            <translation>TorchScript 文件。它是代码：每个文件确认一次，运行只用完全相同的内容。</translation>
        </message>
        <message>
            <source>The training method</source>
            <translation>训练方法</translation>
        </message>
        <message>
            <source>The velocity of what was sent starts at zero again, so that stale momentum does not push on.</source>
            <translation>已发送部分的速度重新归零，以免陈旧动量继续推动。</translation>
        </message>
        <message>
            <source>The worker is gone after so many rounds, as if it had been killed; empty: never</source>
            <translation>工作节点在这么多轮之后消失，如同被强行终止；留空：从不</translation>
        </message>
        <message>
            <source>The worker whose rounds and time the stop rules mean; empty: the first worker</source>
            <translation>停止规则以其轮数与时间计的工作节点；留空：第一个工作节点</translation>
        </message>
        <message>
            <source>Thirteen pairs of a depthwise and a 1x1 convolution at width 1, as ESync trains it; batch normalisation, ReLU.</source>
            <translation>宽度 1 的十三对深度卷积与 1x1 卷积，如 ESync 所训练；批归一化，ReLU。</translation>
        </message>
        <message>
            <source>This fraction of the training samples is held out, drawn by the seed: the accuracy on them decides when to stop and which evaluation is the best, and the test set decides nothing; 0: none: the test set decides</source>
            <translation>留出训练样本的这一比例，按种子抽取：它们的准确率决定何时停止以及哪次评估最好，测试集不决定任何事；0：不留出，由测试集决定</translation>
        </message>
        <message>
            <source>Threads that prepare batches while a worker computes, beyond its own "threads"; 0: it prepares them itself, as it always does where pictures in memory are only scaled.</source>
            <translation>工作节点计算时用于准备批数据的线程，不含其自身“threads”；0：由它自己准备，内存中图片仅需缩放时总是如此。</translation>
        </message>
        <message>
            <source>Three 5x5 convolutions of 32, 32 and 64 channels with pooling and norms, and a dense layer of 64, as MXNet-G trains it.</source>
            <translation>三个 32、32、64 通道的 5x5 卷积，带池化与归一化，以及 64 单元的全连接层，如 MXNet-G 所训练。</translation>
        </message>
        <message>
            <source>Three convolutions</source>
            <translation>三层卷积</translation>
        </message>
        <message>
            <source>Throughput over one worker's alone by the bandwidth that documents emulate, a line for each configuration.</source>
            <translation>吞吐量与单工作节点之比随文档所模拟带宽的变化，每种配置一条线。</translation>
        </message>
        <message>
            <source>Throughput over one worker's alone by the number of workers, a line for each configuration.</source>
            <translation>吞吐量与单工作节点之比随工作节点数的变化，每种配置一条线。</translation>
        </message>
        <message>
            <source>Time until the first evaluation that reaches the report's target</source>
            <translation>到首次评估达到报告目标的时间</translation>
        </message>
        <message>
            <source>Title of the run; empty: its algorithm and model</source>
            <translation>运行的标题；留空：其算法与模型</translation>
        </message>
        <message>
            <source>Torus</source>
            <translation>环面</translation>
        </message>
        <message>
            <source>Traffic per edge</source>
            <translation>各边通信量</translation>
        </message>
        <message>
            <source>Trained by all workers together; empty: no such rule</source>
            <translation>所有工作节点合计训练；留空：无此规则</translation>
        </message>
        <message>
            <source>Training samples</source>
            <translation>训练样本数</translation>
        </message>
        <message>
            <source>Tree all-reduce</source>
            <translation>树形全规约</translation>
        </message>
        <message>
            <source>trimmed mean</source>
            <translation>截尾均值</translation>
        </message>
        <message>
            <source>Two 5x5 convolutions (20 and 50 maps) with 2x2 max pooling and ReLU, then dense layers of 500 and one per class.</source>
            <translation>两个 5x5 卷积（20 与 50 个特征图），带 2x2 最大池化与 ReLU，之后为 500 单元及每类一个的全连接层。</translation>
        </message>
        <message>
            <source>Two 5x5 convolutions (6 and 16 maps) with ReLU and 2x2 maxima, then dense layers of 120, 84 and one per class.</source>
            <translation>两个 5x5 卷积（6 与 16 个特征图），带 ReLU 与 2x2 最大池化，之后为 120、84 及每类一个单元的全连接层。</translation>
        </message>
        <message>
            <source>uniform</source>
            <translation>均匀</translation>
        </message>
        <message>
            <source>Unit of epsilon</source>
            <translation>epsilon 的单位</translation>
        </message>
        <message>
            <source>Units of the first hidden layer.</source>
            <translation>第一隐藏层的单元数。</translation>
        </message>
        <message>
            <source>Units of the second hidden layer; 0: there is none.</source>
            <translation>第二隐藏层的单元数；0：没有。</translation>
        </message>
        <message>
            <source>Update norm</source>
            <translation>更新范数</translation>
        </message>
        <message>
            <source>Variant</source>
            <translation>变体</translation>
        </message>
        <message>
            <source>Velocity, of sgd: v = momentum · v + gradient; a step is rate · v; 0: none</source>
            <translation>速度，用于 sgd：v = 动量 · v + 梯度；一步为 学习率 · v；0：无</translation>
        </message>
        <message>
            <source>Version of the document's form</source>
            <translation>文档格式的版本</translation>
        </message>
        <message>
            <source>VGG-11 for CIFAR</source>
            <translation>用于 CIFAR 的 VGG-11</translation>
        </message>
        <message>
            <source>VGG-11 with batch normalisation for CIFAR</source>
            <translation>用于 CIFAR 的带批归一化 VGG-11</translation>
        </message>
        <message>
            <source>VGG-11 with group normalisation (ECL)</source>
            <translation>带组归一化的 VGG-11（ECL）</translation>
        </message>
        <message>
            <source>VGG-13 for CIFAR</source>
            <translation>用于 CIFAR 的 VGG-13</translation>
        </message>
        <message>
            <source>VGG-13 with batch normalisation for CIFAR</source>
            <translation>用于 CIFAR 的带批归一化 VGG-13</translation>
        </message>
        <message>
            <source>VGG-13 with group normalisation (ECL)</source>
            <translation>带组归一化的 VGG-13（ECL）</translation>
        </message>
        <message>
            <source>VGG-16 for CIFAR</source>
            <translation>用于 CIFAR 的 VGG-16</translation>
        </message>
        <message>
            <source>VGG-16 with batch normalisation for CIFAR</source>
            <translation>用于 CIFAR 的带批归一化 VGG-16</translation>
        </message>
        <message>
            <source>VGG-16 with group normalisation (ECL)</source>
            <translation>带组归一化的 VGG-16（ECL）</translation>
        </message>
        <message>
            <source>VGG-19 for CIFAR</source>
            <translation>用于 CIFAR 的 VGG-19</translation>
        </message>
        <message>
            <source>VGG-19 with batch normalisation for CIFAR</source>
            <translation>用于 CIFAR 的带批归一化 VGG-19</translation>
        </message>
        <message>
            <source>Warm-up begins at</source>
            <translation>预热起始</translation>
        </message>
        <message>
            <source>Warm-up rounds</source>
            <translation>预热轮数</translation>
        </message>
        <message>
            <source>Warm-up samples</source>
            <translation>预热样本数</translation>
        </message>
        <message>
            <source>Weighting</source>
            <translation>加权</translation>
        </message>
        <message>
            <source>Weights of changes</source>
            <translation>变化的权重</translation>
        </message>
        <message>
            <source>What a method recorded under a name of its own, over time, rounds, epochs, samples or traffic.</source>
            <translation>方法以自有名称记录的量，随时间、轮数、周期、样本数或通信量变化。</translation>
        </message>
        <message>
            <source>What a paper reports for this experiment; figures and tables show it beside what was measured</source>
            <translation>论文为该实验报告的结果；图和表将其与实测值并列显示</translation>
        </message>
        <message>
            <source>What a push is answered with: the largest entries of what the worker lacks, or all parameters.</source>
            <translation>对推送的应答：工作节点所缺内容中最大的元素，或全部参数。</translation>
        </message>
        <message>
            <source>What a round keeps of the slow velocity; 0 is local SGD.</source>
            <translation>一轮保留的慢速度的比例；0 即本地 SGD。</translation>
        </message>
        <message>
            <source>What a target is: a class, numbers, a whole number for each place of a sequence. Automatic: by its type and shape.</source>
            <translation>目标是什么：类别、数值、序列每个位置的整数。自动：按类型和形状。</translation>
        </message>
        <message>
            <source>What each direction of an edge of a decentralised method carried.</source>
            <translation>去中心化方法中边的每个方向所承载的通信量。</translation>
        </message>
        <message>
            <source>What happens when nobody follows the run</source>
            <translation>无人跟踪运行时的处理</translation>
        </message>
        <message>
            <source>What is done to every gradient before the method sees it, and how a step uses it</source>
            <translation>方法使用梯度之前对其所做的处理，以及一步如何使用它</translation>
        </message>
        <message>
            <source>What is kept of a run in progress</source>
            <translation>进行中的运行所保留的内容</translation>
        </message>
        <message>
            <source>What is random about training pictures: flip: left to right, every second one; crop: moved by up to 4 pixels over a padded edge. Test pictures are never augmented.</source>
            <translation>训练图片的随机变换：flip：一半图片左右翻转；crop：在填充边缘上移动至多 4 像素。测试图片从不增强。</translation>
        </message>
        <message>
            <source>What is random about training pictures: flip: left to right, every second one; crop: moved by up to 4 pixels over a padded edge; resized crop: a random part of the picture (ImageNet's); without a crop the middle is taken. Test pictures are never augmented.</source>
            <translation>训练图片的随机变换：flip：一半图片左右翻转；crop：在填充边缘上移动至多 4 像素；resized crop：图片的随机部分（ImageNet 的方式）；不裁剪则取中央。测试图片从不增强。</translation>
        </message>
        <message>
            <source>What is recorded beside rounds and evaluations; it changes no result</source>
            <translation>除轮次和评估之外还记录什么；不影响任何结果</translation>
        </message>
        <message>
            <source>What it learns</source>
            <translation>学习的数据</translation>
        </message>
        <message>
            <source>What it reports, each with the runs that it holds for</source>
            <translation>论文报告的数值，每个都注明适用的运行</translation>
        </message>
        <message>
            <source>What its author wants to remember</source>
            <translation>作者想记下的内容</translation>
        </message>
        <message>
            <source>What one worker sends and receives in a round, as measured on the wire.</source>
            <translation>一个工作节点每轮收发的数据量，线上实测。</translation>
        </message>
        <message>
            <source>What rounding lost is added to the next push</source>
            <translation>舍入损失加到下一次推送</translation>
        </message>
        <message>
            <source>What starts the file, on every host: an interpreter with its options.</source>
            <translation>在每台主机上启动该文件的命令：解释器及其选项。</translation>
        </message>
        <message>
            <source>What the crop sees beyond the edge: 0, the mirrored picture or 127.</source>
            <translation>裁剪超出边缘时所见：0、镜像图片或 127。</translation>
        </message>
        <message>
            <source>What the rates are multiplied by.</source>
            <translation>学习率所乘的系数。</translation>
        </message>
        <message>
            <source>When and where the model is evaluated</source>
            <translation>何时何处评估模型</translation>
        </message>
        <message>
            <source>Where it runs: this computer (local) or a host of the Clusters page</source>
            <translation>运行位置：本机（local）或“集群”页中的主机</translation>
        </message>
        <message>
            <source>Where the evaluator node gets parameters from</source>
            <translation>评估节点从何处取得参数</translation>
        </message>
        <message>
            <source>Where the method allows it, layers are sent while others are still computed, and the next step begins with the first that are back</source>
            <translation>在方法允许时，先算好的层边算边发，下一步从最先返回的层开始</translation>
        </message>
        <message>
            <source>Where the run goes on without a worker that is killed, ended for its silence or cut off from the others, its host starts it again, so often: it takes part again with the parameters of the worker that decides when the run ends; 0: never: the run goes on without it</source>
            <translation>若运行可在缺少被终止（或因无响应而被结束、或与其他节点失去联系）的工作节点时继续，则其主机最多重启该节点这么多次：它以决定运行何时结束的工作节点的参数重新参与；0：从不：运行在没有它的情况下继续</translation>
        </message>
        <message>
            <source>Where the shape changes: every second pixel and zeros for the new channels (the paper's option A), or a 1x1 convolution with normalisation (option B).</source>
            <translation>形状改变处：隔像素取样且新通道补零（论文的选项 A），或带归一化的 1x1 卷积（选项 B）。</translation>
        </message>
        <message>
            <source>Whether the hosts keep the weights of the best and the last evaluation, and of checkpoints, for paceline export</source>
            <translation>主机是否保留最佳和最后一次评估以及检查点的权重，供导出使用</translation>
        </message>
        <message>
            <source>Whether the kept part falls with the learning-rate schedule, as published, or stays.</source>
            <translation>保留比例随学习率调度下降（发表版），或保持不变。</translation>
        </message>
        <message>
            <source>Which worker trains on which samples</source>
            <translation>哪个工作节点训练哪些样本</translation>
        </message>
        <message>
            <source>Who carries the aggregation on real hosts; the simulator always takes Paceline's own ("auto" is its older name)</source>
            <translation>在真实主机上由谁执行聚合；模拟器总是使用 Paceline 自带（“auto”是其旧名）</translation>
        </message>
        <message>
            <source>Who exchanges with whom in decentralised methods; edges: the document's own list</source>
            <translation>去中心化方法中谁与谁交换；edges：文档自己的列表</translation>
        </message>
        <message>
            <source>Who waits for whom: one lane a node, coloured by what it does.</source>
            <translation>谁在等谁：每个节点一条泳道，按其所做之事着色。</translation>
        </message>
        <message>
            <source>Whoever is on the network between the hosts may be trusted: an engine that neither encrypts nor asks who connects may carry the aggregation across it</source>
            <translation>主机之间网络上的任何人都可信任：既不加密也不验证连接者的引擎可以跨该网络进行聚合</translation>
        </message>
        <message>
            <source>whole</source>
            <translation>完整</translation>
        </message>
        <message>
            <source>Whole answer every</source>
            <translation>完整应答间隔</translation>
        </message>
        <message>
            <source>Whose sample is which stands in a JSON file: a list for each worker, of numbers of samples.</source>
            <translation>哪个样本归谁写在一个 JSON 文件里：每个工作节点一个样本编号列表。</translation>
        </message>
        <message>
            <source>With groups_from speed: how many groups; 0: chosen by the Calinski-Harabasz index, one if all are alike.</source>
            <translation>分组来源为速度时：组数；0：按 Calinski-Harabasz 指数选取，若都相近则为一组。</translation>
        </message>
        <message>
            <source>With norm group: channels that group normalisation takes together; the number of groups is rounded up.</source>
            <translation>采用组归一化时：合并的通道数；组数向上取整。</translation>
        </message>
        <message>
            <source>Words to find the run by</source>
            <translation>用于查找运行的词语</translation>
        </message>
        <message>
            <source>Worker: fraction of the training data; server: fraction of the parameters; empty: equal parts; all of a role have a share or none</source>
            <translation>工作节点：训练数据的比例；服务器：参数的比例；留空：均分；同一角色的节点要么都有份额，要么都没有</translation>
        </message>
        <message>
            <source>worker: trains; server: holds parameters or, for ESync, the state server; evaluator: only evaluates, so that nobody who trains waits for it</source>
            <translation>worker：训练；server：保存参数，或作为 ESync 的状态服务器；evaluator：只评估，使训练者无需等待</translation>
        </message>
        <message>
            <source>Workers</source>
            <translation>工作节点数</translation>
        </message>
        <message>
            <source>Workers pass chunks around a ring; no server, each link carries 2 (N-1)/N of the vector.</source>
            <translation>工作节点沿环传递分块；无需服务器，每条链路承载向量的 2 (N-1)/N。</translation>
        </message>
        <message>
            <source>Workers push shards to one or more servers, which return the mean.</source>
            <translation>工作节点将分片推送到一个或多个服务器，由其返回均值。</translation>
        </message>
        <message>
            <source>Workers that may send anything: so many values a coordinate are left out at either end, and Krum looks at so many fewer neighbours.</source>
            <translation>可能发送任意内容的工作节点数：每个坐标的两端各去掉这么多值，Krum 少看这么多邻居。</translation>
        </message>
        <message>
            <source>Xavier</source>
            <translation>Xavier</translation>
        </message>
        <message>
            <source>Your own arrays</source>
            <translation>您自己的数组</translation>
        </message>
        <message>
            <source>Your own model (Python)</source>
            <translation>您自己的模型（Python）</translation>
        </message>
        <message>
            <source>Your own model (TorchScript)</source>
            <translation>您自己的模型（TorchScript）</translation>
        </message>
        <message>
            <source>zero</source>
            <translation>零</translation>
        </message>
    </context>
</TS>
