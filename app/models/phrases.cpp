#include "app/models/phrases.h"

#include <QObject>

namespace paceline::language {
namespace {

constexpr const char* kPhrases[] = {
    // Runs, cells, nodes.
    QT_TR_NOOP("Draft"), QT_TR_NOOP("Checking"), QT_TR_NOOP("Deploying"), QT_TR_NOOP("Starting"), QT_TR_NOOP("Running"), QT_TR_NOOP("Stopping"), QT_TR_NOOP("Finished"), QT_TR_NOOP("Stopped"),
    QT_TR_NOOP("Failed"), QT_TR_NOOP("Stale"), QT_TR_NOOP("Imported"), QT_TR_NOOP("reached its rounds"), QT_TR_NOOP("reached its time"), QT_TR_NOOP("reached its samples"), QT_TR_NOOP("reached its accuracy"), QT_TR_NOOP("got no better for its patience"),
    QT_TR_NOOP("stopped on request"), QT_TR_NOOP("given up by its search"), QT_TR_NOOP("nobody followed it"), QT_TR_NOOP("its host shut down"), QT_TR_NOOP("finished"), QT_TR_NOOP("under way"),
    QT_TR_NOOP("waiting"), QT_TR_NOOP("held"), QT_TR_NOOP("stale"), QT_TR_NOOP("failed"), QT_TR_NOOP("stopped"), QT_TR_NOOP("not run"), QT_TR_NOOP("in the trash"), QT_TR_NOOP("given up"),
    QT_TR_NOOP("ready"), QT_TR_NOOP("training"), QT_TR_NOOP("silent"), QT_TR_NOOP("evaluating"), QT_TR_NOOP("serving"), QT_TR_NOOP("not known"), QT_TR_NOOP("ended"), QT_TR_NOOP("going"),
    QT_TR_NOOP("worker"), QT_TR_NOOP("server"), QT_TR_NOOP("evaluator"), QT_TR_NOOP("fetch"), QT_TR_NOOP("compute"), QT_TR_NOOP("update"), QT_TR_NOOP("send"), QT_TR_NOOP("wait"),
    QT_TR_NOOP("receive"), QT_TR_NOOP("query"), QT_TR_NOOP("evaluate"), QT_TR_NOOP("serve"), QT_TR_NOOP("simulated"), QT_TR_NOOP("local"), QT_TR_NOOP("train"), QT_TR_NOOP("test"), QT_TR_NOOP("imported"),
    QT_TR_NOOP("esync tree"), QT_TR_NOOP("sample"), QT_TR_NOOP("bundle"), QT_TR_NOOP("%1, %2"), QT_TR_NOOP("%1 finished"), QT_TR_NOOP("%1 under way"), QT_TR_NOOP("%1 waiting"), QT_TR_NOOP("%1 held"), QT_TR_NOOP("%1 stale"),
    QT_TR_NOOP("%1 failed"), QT_TR_NOOP("%1 stopped"), QT_TR_NOOP("%1 not run"), QT_TR_NOOP("%1 given up"),
    // The document's own words.
    QT_TR_NOOP("at least %1"), QT_TR_NOOP("at most %1"), QT_TR_NOOP("above %1"), QT_TR_NOOP("below %1"), QT_TR_NOOP("%1 to below %2"), QT_TR_NOOP("above %1 to %2"), QT_TR_NOOP("above %1 to below %2"), QT_TR_NOOP("default %1"),
    QT_TR_NOOP("rounds"), QT_TR_NOOP("evaluations"), QT_TR_NOOP("notices"), QT_TR_NOOP("metrics"), QT_TR_NOOP("edges"), QT_TR_NOOP("labels"), QT_TR_NOOP("gaps"), QT_TR_NOOP("host records"), QT_TR_NOOP("hosts"), QT_TR_NOOP("nodes"), QT_TR_NOOP("events"),
    // Figures: axes, legends.
    QT_TR_NOOP("time (s)"), QT_TR_NOOP("time (minutes)"), QT_TR_NOOP("time (hours)"), QT_TR_NOOP("Time (minutes)"), QT_TR_NOOP("epochs"), QT_TR_NOOP("samples"), QT_TR_NOOP("traffic (MB)"), QT_TR_NOOP("round"),
    QT_TR_NOOP("class"), QT_TR_NOOP("test accuracy"), QT_TR_NOOP("Test Accuracy"), QT_TR_NOOP("test loss"), QT_TR_NOOP("samples per second"), QT_TR_NOOP("MB per second"), QT_TR_NOOP("MBytes per second"),
    QT_TR_NOOP("computing / total time"), QT_TR_NOOP("computing time ratio"), QT_TR_NOOP("speed-up"), QT_TR_NOOP("speed-up over %1"), QT_TR_NOOP("speed-up to accuracy %1"), QT_TR_NOOP("speed-up over %1 to accuracy %2"),
    QT_TR_NOOP("workers"), QT_TR_NOOP("bandwidth (Mbit/s)"), QT_TR_NOOP("local steps"), QT_TR_NOOP("log entries per round"), QT_TR_NOOP("MB received"), QT_TR_NOOP("share of rounds"),
    QT_TR_NOOP("updates by others between pull and push"), QT_TR_NOOP("%1 per round of one worker"), QT_TR_NOOP("bytes"), QT_TR_NOOP("training samples"), QT_TR_NOOP("distance from the mean of the workers"),
    QT_TR_NOOP("fraction of elements sent"), QT_TR_NOOP("sent"), QT_TR_NOOP("received"), QT_TR_NOOP("ideal"), QT_TR_NOOP("exchange"), QT_TR_NOOP("stand-alone"), QT_TR_NOOP("local SGD"), QT_TR_NOOP("gradient dropping"), QT_TR_NOOP("predicted"), QT_TR_NOOP("test"), QT_TR_NOOP("held out"),
    QT_TR_NOOP("to train"), QT_TR_NOOP("to test"), QT_TR_NOOP("class %1"), QT_TR_NOOP("classes %1 to %2"), QT_TR_NOOP("%1 ± std"), QT_TR_NOOP("%1 ± std of up to %2 seeds"), QT_TR_NOOP("%1, seed %2"), QT_TR_NOOP("%1 seeds"),
    QT_TR_NOOP("%1 runs"), QT_TR_NOOP("not reached"), QT_TR_NOOP("%1 (%2 of %3)"), QT_TR_NOOP("not reached by %1 of %2"), QT_TR_NOOP("no evaluations"), QT_TR_NOOP("%1: no evaluations"), QT_TR_NOOP("%1: not reached"), QT_TR_NOOP("%1: not reached by %2 of %3"), QT_TR_NOOP("in %1 s"), QT_TR_NOOP("not finite"), QT_TR_NOOP("class sizes"),
    // Figures: titles that the registry's entries do not have.
    QT_TR_NOOP("Test accuracy"), QT_TR_NOOP("Test accuracy, i.i.d."), QT_TR_NOOP("Test accuracy, non-i.i.d."), QT_TR_NOOP("Test loss"), QT_TR_NOOP("Data throughput"), QT_TR_NOOP("Traffic load"), QT_TR_NOOP("Computing time ratio"),
    QT_TR_NOOP("Age of received vectors"), QT_TR_NOOP("Local steps per round"), QT_TR_NOOP("Speed-up to a target accuracy"), QT_TR_NOOP("Speed-up against workers"), QT_TR_NOOP("Speed-up against bandwidth"),
    QT_TR_NOOP("Accuracy over time"), QT_TR_NOOP("Throughput"),
    // Figures: notes.
    QT_TR_NOOP("nothing to draw: %1"), QT_TR_NOOP("no runs chosen"), QT_TR_NOOP("no run recorded a value for it"), QT_TR_NOOP("%1; %2 is running and has recorded none of it yet"), QT_TR_NOOP("the chosen runs have no rows for this figure"),
    QT_TR_NOOP("it is of one run"), QT_TR_NOOP("no run of ESync, SSGD, ASGD or DC-ASGD"), QT_TR_NOOP("no run with evaluations"), QT_TR_NOOP("no rounds recorded"), QT_TR_NOOP("no workers recorded"), QT_TR_NOOP("no run with rounds"),
    QT_TR_NOOP("every run has a partition that is not i.i.d.; accuracy_non_iid draws them"), QT_TR_NOOP("no run has a partition that is not i.i.d."), QT_TR_NOOP("runs that are not i.i.d. are in accuracy_non_iid"),
    QT_TR_NOOP("the times of the workers' rounds are not recorded"), QT_TR_NOOP("no edges recorded"), QT_TR_NOOP("no run that recorded edges (decentralised methods do)"), QT_TR_NOOP("no run of several workers with rounds"),
    QT_TR_NOOP("no run with rounds whose document emulates a bandwidth"), QT_TR_NOOP("no consensus distance recorded"), QT_TR_NOOP("no run with a consensus distance"), QT_TR_NOOP("its method sends everything"), QT_TR_NOOP("no run of a sparse method"),
    QT_TR_NOOP("no run whose workers' labels were recorded"), QT_TR_NOOP("its workers' labels were not recorded"), QT_TR_NOOP("its method records no metric of its own"), QT_TR_NOOP("it records no %1"), QT_TR_NOOP("no run with a metric of its method's own"),
    QT_TR_NOOP("norm of the gradient"), QT_TR_NOOP("norm of the update"), QT_TR_NOOP("cosine"), QT_TR_NOOP("its document records no norms"), QT_TR_NOOP("no run that records norms"),
    QT_TR_NOOP("each point: mean over one record of every worker; of mini-batches, before decay and clipping, mean over the local steps"),
    QT_TR_NOOP("each point: mean over one record of every worker; of what a round changes in a worker's parameters, by itself and by others"),
    QT_TR_NOOP("each point: mean over one record of every worker; between the sum of a worker's gradients in a round and the step that its parameters made against it"),
    QT_TR_NOOP("no run with %1; recorded: %2"), QT_TR_NOOP("recorded: %1; this is the first"), QT_TR_NOOP("no run of SSGD: the reference is %1, the slowest to reach the target"), QT_TR_NOOP("the reference %1 is not among the runs"),
    QT_TR_NOOP("%1: left out, %2"), QT_TR_NOOP("it has no evaluations"), QT_TR_NOOP("one seed of a configuration is drawn"), QT_TR_NOOP("a timeline is of one run"), QT_TR_NOOP("its workers are not recorded"),
    QT_TR_NOOP("its document emulates no bandwidth"), QT_TR_NOOP("one step in every round"), QT_TR_NOOP("the script draws ESync, SSGD, ASGD and DC-ASGD only"), QT_TR_NOOP("the script draws one run of each algorithm"),
    QT_TR_NOOP("it did not record how many samples its workers train on, so an epoch is not known"), QT_TR_NOOP("no run recorded how many samples its workers train on, so an epoch is not known"),
    QT_TR_NOOP("no point has a place on a logarithmic axis"), QT_TR_NOOP("no point is a finite number"), QT_TR_NOOP("the set has no samples"), QT_TR_NOOP("the set has no classes"),
    QT_TR_NOOP("cut at 120 minutes, as in the script"), QT_TR_NOOP("x axis ends with the runs, which are shorter than a tenth of the script's 120 minutes"),
    QT_TR_NOOP("%1: all %2 points instead of every %3th, too few for the script's decimation"), QT_TR_NOOP("%1: %2 points are not finite: drawn as gaps"), QT_TR_NOOP("%1: %2 of %3 points are not finite: drawn as gaps"),
    QT_TR_NOOP("%1: %2 of %3 points have no place on a log axis"), QT_TR_NOOP("drawer.py: every %1th point, led by (0, 0.1), mean of %2 points, rounded to whole seconds and 0.001"),
    QT_TR_NOOP("stand-alone 0.926 is the script's constant, not measured here"), QT_TR_NOOP("evaluations up to %1; rates are those of whole runs"), QT_TR_NOOP("evaluations up to %1, as far as every run goes; rates are those of whole runs"),
    QT_TR_NOOP("evaluations up to %1; rates are those of whole runs; shorter than that: %2"), QT_TR_NOOP("%1 rounds"), QT_TR_NOOP("%1 samples"), QT_TR_NOOP("%1 bytes"),
    QT_TR_NOOP("mean over all rounds of all workers, on the wire, in powers of ten"), QT_TR_NOOP("%1 classes are drawn in %2 bars of %3"), QT_TR_NOOP("drawer.py: 1 - aggregation time / elapsed time; evaluation and waiting for data count as computing"),
    QT_TR_NOOP("devices from the left: %1"), QT_TR_NOOP("%1: no bar, its value is not finite"), QT_TR_NOOP("(fetch + forward and backward + local update) / total time of each worker"), QT_TR_NOOP("%1: %2 was unreachable at times"),
    QT_TR_NOOP("the first %1 of %2 directions are drawn; the export has all"), QT_TR_NOOP("steps that the receiving worker had taken since it applied the newest vector, mean over its steps"),
    QT_TR_NOOP("bytes that the worker at the arrow's head received from the other, as measured, in 10^6"), QT_TR_NOOP("the run is simulated: times are virtual"), QT_TR_NOOP("all runs are simulated: times are virtual"),
    QT_TR_NOOP("%1 of %2 runs is simulated: times are virtual"), QT_TR_NOOP("%1 of %2 runs are simulated: times are virtual"), QT_TR_NOOP("one point a line: the %1 does not vary between runs that are alike otherwise"),
    QT_TR_NOOP("number of workers"), QT_TR_NOOP("bandwidth"), QT_TR_NOOP("%1: samples/s over its own with %2 (%3)"), QT_TR_NOOP("samples/s of all workers over those of %1 (%2)"), QT_TR_NOOP("faint line: as many times as there are workers"),
    QT_TR_NOOP("%1 workers"), QT_TR_NOOP("no published script draws the loss: measured values in the published look"), QT_TR_NOOP("no published script draws it: the same as corrected"), QT_TR_NOOP("no published script draws it: as measured"),
    QT_TR_NOOP("each point: mean over one record of every node that records it, in the order of their times"), QT_TR_NOOP("root of the mean over the workers of |w_i - mean|^2, at every evaluation of the mean"),
    QT_TR_NOOP("each point: mean over as many rounds as there are workers, in the order of their ends"), QT_TR_NOOP("ESync's summary counts a round's log entries: local steps + 1; no script draws them"),
    QT_TR_NOOP("samples trained by all workers / wall time"), QT_TR_NOOP("drawer.py: int(samples of all devices / elapsed time of the first device)"), QT_TR_NOOP("bytes that the workers sent and received, as measured, in 10^6, / wall time"),
    QT_TR_NOOP("drawer.py: int(rounds x workers x model MiB / elapsed time), one direction"), QT_TR_NOOP("%1 classes are drawn in %2 ranges of %3; the summary has every count"), QT_TR_NOOP("the first %1 of %2 workers are drawn; the summary has all"),
    QT_TR_NOOP("a worker has %1 classes; mean Jensen-Shannon distance of its classes from everyone's %2 (0: the same, 1: none in common)"), QT_TR_NOOP("%1: a worker has %2 classes; mean Jensen-Shannon distance of its classes from everyone's %3 (0: the same, 1: none in common)"),
    QT_TR_NOOP("a worker has %1 class; mean Jensen-Shannon distance of its classes from everyone's %2 (0: the same, 1: none in common)"), QT_TR_NOOP("%1: a worker has %2 class; mean Jensen-Shannon distance of its classes from everyone's %3 (0: the same, 1: none in common)"),
    QT_TR_NOOP("every worker has the whole set"), QT_TR_NOOP("%1: every worker has the whole set"), QT_TR_NOOP("parts of a whole have no place on a log axis: the axis is linear"), QT_TR_NOOP("%1: every round is up to date"),
    QT_TR_NOOP("%1: rounds of %2 together"), QT_TR_NOOP("%1 sent %2 %3 messages of %4 bytes, and %5 of %6 bytes came"),
    QT_TR_NOOP("no link of %1 is recorded: it is of an earlier version, or its nodes ended before they told"), QT_TR_NOOP("the run has no whole document"), QT_TR_NOOP("the longest wait: %1 (%2)"), QT_TR_NOOP("%1: its %2 share no range of x, so they have no mean"), QT_TR_NOOP("%1: seeds interpolated to common points; the mean ends where the shortest ends"),
    QT_TR_NOOP("smoothed: mean of the last %1 points"), QT_TR_NOOP("%1: mean and sample std of %2 (%3)"), QT_TR_NOOP("seed %1"), QT_TR_NOOP("seed %1: %2"), QT_TR_NOOP("%1: no run of %2 with the same configuration"),
    QT_TR_NOOP("time of %1 (%2 s) / time, first raw crossing of %3"), QT_TR_NOOP("the reference %1: accuracy %2 %3; choose another reference or target"), QT_TR_NOOP("no run reached accuracy %1"),
    QT_TR_NOOP("ESync's README gives the definition, no script computes it: values rounded as in its summary"), QT_TR_NOOP("%1 to %2"),
    QT_TR_NOOP("no samples to %1"), QT_TR_NOOP("%1 samples to %2, %3 of each class"), QT_TR_NOOP("%1 samples to %2"),
    // Parallel coordinates, published values, hosts' load.
    QT_TR_NOOP("traffic (MB/s)"), QT_TR_NOOP("time to %1 % (s)"), QT_TR_NOOP("algorithm"), QT_TR_NOOP("seed"), QT_TR_NOOP("on"), QT_TR_NOOP("host CPU"), QT_TR_NOOP("its host was busy"), QT_TR_NOOP("%1 CPU"), QT_TR_NOOP("one run: no field varies"),
    QT_TR_NOOP("no field of these runs' documents varies"), QT_TR_NOOP("no run has a result"), QT_TR_NOOP("left out, they vary too: %1"), QT_TR_NOOP("%1 of %2 runs have no place on %3: each %4"), QT_TR_NOOP("has no evaluation"),
    QT_TR_NOOP("did not reach the target"), QT_TR_NOOP("has no rounds"), QT_TR_NOOP("sent nothing"), QT_TR_NOOP("did not record its workers' times"), QT_TR_NOOP("published"), QT_TR_NOOP("%1, published"), QT_TR_NOOP("published: %1"),
    QT_TR_NOOP("published values by the script's formula are in the published variant"), QT_TR_NOOP("published values that were measured are in the corrected variant"), QT_TR_NOOP("a published value is of the target %1, not %2"),
    QT_TR_NOOP("%1: %2 s to %3 is beyond what is drawn"), QT_TR_NOOP("Quantity"), QT_TR_NOOP("Ours"), QT_TR_NOOP("Ours / published"), QT_TR_NOOP("Inside the band"),
    QT_TR_NOOP("Last accuracy"), QT_TR_NOOP("Best accuracy"), QT_TR_NOOP("Last loss"), QT_TR_NOOP("Samples/s by the script"), QT_TR_NOOP("Traffic (MB/s) by the script"), QT_TR_NOOP("Computing time ratio by the script"),
    QT_TR_NOOP("Computing time ratio of %1"), QT_TR_NOOP("Computing time ratio of %1 by the script"), QT_TR_NOOP("Speed-up over %1 to %2 %"), QT_TR_NOOP("Speed-up over %1 by samples/s"), QT_TR_NOOP("no: %1 % below"),
    QT_TR_NOOP("no: %1 % above"), QT_TR_NOOP("no band"), QT_TR_NOOP("another setting"), QT_TR_NOOP("no run of %1 to compare with"), QT_TR_NOOP("not reached by %1"),
    // Results.
    QT_TR_NOOP("Best accuracy (%)"), QT_TR_NOOP("Last accuracy (%)"), QT_TR_NOOP("Time to %1 % (s)"), QT_TR_NOOP("Samples/s"), QT_TR_NOOP("Traffic (MB/s)"), QT_TR_NOOP("Computing (%)"), QT_TR_NOOP("Wall time (s)"),
    QT_TR_NOOP("%1: %2 is ahead of %3 by %4; with one run of %5 no spread is known: 2 more seeds of each are needed"), QT_TR_NOOP("%1: %2 and %3 do not differ"), QT_TR_NOOP("%1: %2 is ahead of %3 by %4, without any spread"),
    QT_TR_NOOP("%1: %2 is ahead of %3 by %4 (95 % interval %5 to %6, Hedges' g %7, %8 and %9 runs)"), QT_TR_NOOP("%1: %2 is ahead of %3 by %4, which is within the spread (95 % interval %5 to %6): %7"),
    QT_TR_NOOP("about %1 more seeds of each would tell if it stays so"), QT_TR_NOOP("about 1 more seed of each would tell if it stays so"), QT_TR_NOOP("more than 1000 seeds would be needed"),
    QT_TR_NOOP("No accuracy is marked as the best: the stop rules of these runs differ or are not known, or a run did not reach its own."), QT_TR_NOOP("The run is simulated: times are virtual."), QT_TR_NOOP("All runs are simulated: times are virtual."),
    // Lanes.
    QT_TR_NOOP("it was making its batch"), QT_TR_NOOP("it was asking the state server"), QT_TR_NOOP("it was computing"), QT_TR_NOOP("it was sending"), QT_TR_NOOP("it was waiting itself"), QT_TR_NOOP("it was receiving"),
    QT_TR_NOOP("it was updating its parameters"), QT_TR_NOOP("it was evaluating"), QT_TR_NOOP("it was busy with others"), QT_TR_NOOP("it was waiting for %1"), QT_TR_NOOP("the answer was on its way"), QT_TR_NOOP("what it had sent was on its way"),
    QT_TR_NOOP("%1 waited %2 for %3"), QT_TR_NOOP("%1 waited %2 for %3: %4"), QT_TR_NOOP("%1 each waited %2 for %3"), QT_TR_NOOP("%1 each waited %2 for %3: %4"), QT_TR_NOOP("%1 waited %2 at most, for %3"), QT_TR_NOOP("%1 each waited %2 at most, for %3"),
    QT_TR_NOOP("round %1"), QT_TR_NOOP("rounds %1 to %2"), QT_TR_NOOP("all lanes have one clock"), QT_TR_NOOP("the nodes' clocks were not compared: lanes may be shifted against each other"), QT_TR_NOOP("lanes may be shifted against each other by %1 at most"),
    QT_TR_NOOP("%1 to %2, %3 alike"), QT_TR_NOOP("%1 ... %2, %3 alike"),
    // Where the wall time goes.
    QT_TR_NOOP("%1 of the wall time is %2"), QT_TR_NOOP("%1 of the wall time is %2; %3"), QT_TR_NOOP("%1 in the mean, cost accuracy"), QT_TR_NOOP("%1 in the mean, cost accuracy; %2"),
    QT_TR_NOOP("%1 of the wall time is computing; nothing else takes more than %2"), QT_TR_NOOP("of this long run only its newest rounds were looked at, those after %1 s"), QT_TR_NOOP("evaluation"), QT_TR_NOOP("%1's evaluation"),
    QT_TR_NOOP("waiting for the slower %1"), QT_TR_NOOP("waiting for %1, the slowest in %2 of %3 rounds"), QT_TR_NOOP("waiting for whoever is slowest, longest for %1"), QT_TR_NOOP("waiting for batches"), QT_TR_NOOP("%1 waiting for its batches"), QT_TR_NOOP("server %1, which is busy"), QT_TR_NOOP("the links"), QT_TR_NOOP("%1's link"),
    QT_TR_NOOP("exchanges that cost more than such small batches compute"), QT_TR_NOOP("%1's gradients, %2 updates old"), QT_TR_NOOP("%1 (not predicted: %2)"), QT_TR_NOOP("%1: no faster (simulated: %2)"), QT_TR_NOOP("%1: no faster (simulated: %2, %3 to %4)"),
    QT_TR_NOOP("%1: about %2 times faster (simulated)"), QT_TR_NOOP("%1: about %2 times faster (simulated, %3 to %4)"), QT_TR_NOOP("move it to an evaluator"), QT_TR_NOOP("move them to an evaluator"),
    QT_TR_NOOP("let the others take more steps meanwhile (ESync)"), QT_TR_NOOP("let slow and fast steps even out over %1"), QT_TR_NOOP("let workers wait for each other less often"), QT_TR_NOOP("give %1 a faster device or less work"), QT_TR_NOOP("take batches of %1"), QT_TR_NOOP("exchange less often: %1"), QT_TR_NOOP("%1 local steps (Local SGD)"),
    QT_TR_NOOP("add a server"), QT_TR_NOOP("take the emulated wait for batches away"), QT_TR_NOOP("keep its data in memory or on a faster disk"), QT_TR_NOOP("bound how far workers may be apart (SSP)"), QT_TR_NOOP("weigh old gradients (DC-ASGD)"),
    QT_TR_NOOP("run \"%1\" was imported without its document: nobody knows what to change"), QT_TR_NOOP("run \"%1\" has no records of rounds: its state is %2"), QT_TR_NOOP("run \"%1\" has no records of rounds yet: its state is %2"),
    QT_TR_NOOP("draft"), QT_TR_NOOP("deploying"), QT_TR_NOOP("starting"), QT_TR_NOOP("running"), QT_TR_NOOP("stopping"),
    // Predictions, searches.
    QT_TR_NOOP("step times as measured in run \"%1\""), QT_TR_NOOP("on %1 as the hosts' measured speeds say"), QT_TR_NOOP("step times as the document emulates them"), QT_TR_NOOP("step times from the hosts' measured speeds and the network's multiplications: true to a factor of about 4 on hosts that nobody else uses, until it ran there once"), QT_TR_NOOP("elsewhere step times as the document emulates them"),
    QT_TR_NOOP("links as the document emulates them"), QT_TR_NOOP("links between hosts as measured"), QT_TR_NOOP("messages as if they took no time: no link was measured"), QT_TR_NOOP("messages of %1 ms each at %2 Gbit/s: no link was measured"), QT_TR_NOOP("exchanges as fast as in run \"%1\""),
    QT_TR_NOOP("Nobody knows how long a step of %1 with batches of %2 takes on host %3: run it there once, or emulate a step time for %4"), QT_TR_NOOP("%1 sends what its values say, so only a run shows how much that is"),
    QT_TR_NOOP("time to %1 %"), QT_TR_NOOP("last accuracy"), QT_TR_NOOP("best accuracy"), QT_TR_NOOP("samples/s"), QT_TR_NOOP("bayesian"), QT_TR_NOOP("random"), QT_TR_NOOP("1 run"), QT_TR_NOOP("%1 min"), QT_TR_NOOP("%1 or %2"),
    QT_TR_NOOP("%1 for %2, %3"), QT_TR_NOOP("%1 for %2, %3, %4 seeds a point"), QT_TR_NOOP("%1 for %2, %3, the best 1/%4 go on after %5, %6, ... %7"), QT_TR_NOOP("%1 for %2, %3, %4 seeds a point, the best 1/%5 go on after %6, %7, ... %8"),
    QT_TR_NOOP("It will try %1."), QT_TR_NOOP("Point %1 (%2): %3"), QT_TR_NOOP("Held: no further run begins until it is let go. %1"),
    QT_TR_NOOP("The best of %1 points has %2; this point is %3 times as likely beside it as among the other %4."), QT_TR_NOOP("The best of %1 points, compared %2, has %3; this point is %4 times as likely beside it as among the other %5."),
    QT_TR_NOOP("The %1 best of %2 points have %3; this point is %4 times as likely among them as among the other %5."), QT_TR_NOOP("The %1 best of %2 points, compared %3, have %4; this point is %5 times as likely among them as among the other %6."),
    QT_TR_NOOP("Drawn at random."), QT_TR_NOOP("Drawn at random: all that the model would try was tried."), QT_TR_NOOP("Drawn at random: the model needs %1 points that have ended, and there is 1."),
    QT_TR_NOOP("Drawn at random: the model needs %1 points that have ended, and there are %2."), QT_TR_NOOP("after %1 rounds"), QT_TR_NOOP("after 1 round"), QT_TR_NOOP("after %1 s"), QT_TR_NOOP("%1 after %2 s"), QT_TR_NOOP("%1, %2 not reached"),
    QT_TR_NOOP("no accuracy"), QT_TR_NOOP("below the best half %1 (%2; %3 was needed)"), QT_TR_NOOP("below the best third %1 (%2; %3 was needed)"), QT_TR_NOOP("below the best 1/%1 %2 (%3; %4 was needed)"),
    QT_TR_NOOP("the search's budget of %1 was used up"), QT_TR_NOOP("the search was ended"), QT_TR_NOOP("Nothing was tried."), QT_TR_NOOP("None of 1 point came to its end."), QT_TR_NOOP("None of %1 points came to its end."),
    QT_TR_NOOP("The best of 1 point is %1: %2."), QT_TR_NOOP("The best of %1 points is %2: %3."), QT_TR_NOOP("1 run took %1."), QT_TR_NOOP("1 run took %1; %2."), QT_TR_NOOP("%1 runs took %2."), QT_TR_NOOP("%1 runs took %2; %3."),
    QT_TR_NOOP("%1 stopped early"), QT_TR_NOOP("%1 stopped by a person"), QT_TR_NOOP("The budget of %1 is used up."), QT_TR_NOOP("The budget of %1 is less than the %2 runs of one point."), QT_TR_NOOP("The last %1 points cannot be run: %2"),
    QT_TR_NOOP("The first %1 points failed, the last one: %2"), QT_TR_NOOP("Every point was tried."), QT_TR_NOOP("Ended on request."), QT_TR_NOOP("It cannot go on: %1"), QT_TR_NOOP("Held: no further run begins until it is let go."),
    QT_TR_NOOP("done"), QT_TR_NOOP("dropped"),
    // Notices.
    QT_TR_NOOP("a web address begins with https:// or http:// and names a host; \"%1\" does not"), QT_TR_NOOP("there is no program \"%1\" here"), QT_TR_NOOP("the shell cannot read the command: %1"),
    QT_TR_NOOP("no end is chosen of which the address or the command would hear: target, failed, suite"), QT_TR_NOOP("%1 was not told: %2"), QT_TR_NOOP("it answers %1"), QT_TR_NOOP("it answers %1 (not found)"),
    QT_TR_NOOP("the command for notices ended with code %1"), QT_TR_NOOP("the command for notices ended with code %1: %2"), QT_TR_NOOP("the command for notices took longer than %1 s and was ended"),
    // A loss that is no number.
    QT_TR_NOOP("in round %1 the loss is NaN: training has diverged"), QT_TR_NOOP("in round %1 the loss is infinite: training has diverged"), QT_TR_NOOP("%1: in round %2 the loss is NaN: training has diverged"),
    QT_TR_NOOP("%1: in round %2 the loss is infinite: training has diverged"),
    // Hosts.
    QT_TR_NOOP("Reachable"), QT_TR_NOOP("Host key"), QT_TR_NOOP("Login"), QT_TR_NOOP("Arguments survive"), QT_TR_NOOP("Architecture"), QT_TR_NOOP("C library"), QT_TR_NOOP("C++ library"), QT_TR_NOOP("Disk"), QT_TR_NOOP("CPUs"), QT_TR_NOOP("Memory"),
    QT_TR_NOOP("GPUs"), QT_TR_NOOP("Data interface"), QT_TR_NOOP("Clock"), QT_TR_NOOP("Agent"), QT_TR_NOOP("Speed"), QT_TR_NOOP("this computer"), QT_TR_NOOP("not needed"), QT_TR_NOOP("built in"), QT_TR_NOOP("a run was active there"), QT_TR_NOOP("%1 runs were active there"), QT_TR_NOOP("other work took %1 of its %2 CPUs"), QT_TR_NOOP("other work took %1 of its 1 CPU"), QT_TR_NOOP("%1 and %2"), QT_TR_NOOP("not checked"), QT_TR_NOOP("good"), QT_TR_NOOP("warning"), QT_TR_NOOP("bad"), QT_TR_NOOP("skipped"), QT_TR_NOOP("checking"),
};

}  // namespace

std::span<const char* const> phrases() { return kPhrases; }

}  // namespace paceline::language
