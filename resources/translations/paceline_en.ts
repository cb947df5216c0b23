<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
    <context>
        <name>Paceline</name>
        <message numerus="yes">
            <source>%1: %n part(s)</source>
            <translation>
                <numerusform>%1: %n part</numerusform>
                <numerusform>%1: %n parts</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n algorithm(s)</source>
            <translation>
                <numerusform>%n algorithm</numerusform>
                <numerusform>%n algorithms</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n CPU(s)</source>
            <translation>
                <numerusform>%n CPU</numerusform>
                <numerusform>%n CPUs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n data set(s)</source>
            <translation>
                <numerusform>%n data set</numerusform>
                <numerusform>%n data sets</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n edge(s)</source>
            <translation>
                <numerusform>%n edge</numerusform>
                <numerusform>%n edges</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n error(s)</source>
            <translation>
                <numerusform>%n error</numerusform>
                <numerusform>%n errors</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n error(s) to mend first: %1</source>
            <translation>
                <numerusform>%n error to mend first: %1</numerusform>
                <numerusform>%n errors to mend first: %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n error(s), shown beside the fields</source>
            <translation>
                <numerusform>%n error, shown beside the fields</numerusform>
                <numerusform>%n errors, shown beside the fields</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n figure(s) do not apply</source>
            <translation>
                <numerusform>%n figure does not apply</numerusform>
                <numerusform>%n figures do not apply</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n file(s)</source>
            <translation>
                <numerusform>%n file</numerusform>
                <numerusform>%n files</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n GPU(s)</source>
            <translation>
                <numerusform>%n GPU</numerusform>
                <numerusform>%n GPUs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n host(s)</source>
            <translation>
                <numerusform>%n host</numerusform>
                <numerusform>%n hosts</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n host(s) will be added.</source>
            <translation>
                <numerusform>%n host will be added.</numerusform>
                <numerusform>%n hosts will be added.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n lane(s): %1</source>
            <translation>
                <numerusform>%n lane: %1</numerusform>
                <numerusform>%n lanes: %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n model(s)</source>
            <translation>
                <numerusform>%n model</numerusform>
                <numerusform>%n models</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n node(s)</source>
            <translation>
                <numerusform>%n node</numerusform>
                <numerusform>%n nodes</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n of the same kind were not opened: %1.</source>
            <translation>
                <numerusform>%n of the same kind was not opened: %1.</numerusform>
                <numerusform>%n of the same kind were not opened: %1.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n of the same kind were not shown: %1.</source>
            <translation>
                <numerusform>%n of the same kind was not shown: %1.</numerusform>
                <numerusform>%n of the same kind were not shown: %1.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n place(s) where they differ.</source>
            <translation>
                <numerusform>%n place where they differ.</numerusform>
                <numerusform>%n places where they differ.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n problem(s)</source>
            <translation>
                <numerusform>%n problem</numerusform>
                <numerusform>%n problems</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s)</source>
            <translation>
                <numerusform>%n run</numerusform>
                <numerusform>%n runs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) in progress go on</source>
            <translation>
                <numerusform>%n run in progress goes on</numerusform>
                <numerusform>%n runs in progress go on</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) in the trash and everything recorded of them, %1, will be gone with their checkpoints. This cannot be undone.</source>
            <translation>
                <numerusform>%n run in the trash and everything recorded of it, %1, will be gone with its checkpoints. This cannot be undone.</numerusform>
                <numerusform>%n runs in the trash and everything recorded of them, %1, will be gone with their checkpoints. This cannot be undone.</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) selected</source>
            <translation>
                <numerusform>%n run selected</numerusform>
                <numerusform>%n runs selected</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) stay held</source>
            <translation>
                <numerusform>%n run stays held</numerusform>
                <numerusform>%n runs stay held</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n run(s) that wait start in turn</source>
            <translation>
                <numerusform>%n run that waits starts in turn</numerusform>
                <numerusform>%n runs that wait start in turn</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n sample(s)</source>
            <translation>
                <numerusform>%n sample</numerusform>
                <numerusform>%n samples</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n seed(s)</source>
            <translation>
                <numerusform>%n seed</numerusform>
                <numerusform>%n seeds</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n value(s)</source>
            <translation>
                <numerusform>%n value</numerusform>
                <numerusform>%n values</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n warning(s)</source>
            <translation>
                <numerusform>%n warning</numerusform>
                <numerusform>%n warnings</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n worker(s)</source>
            <translation>
                <numerusform>%n worker</numerusform>
                <numerusform>%n workers</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>%n worker(s); no edges: %1</source>
            <translation>
                <numerusform>%n worker; no edges: %1</numerusform>
                <numerusform>%n workers; no edges: %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>; %1 to %n neighbour(s)</source>
            <translation>
                <numerusform>; %1 to %n neighbour</numerusform>
                <numerusform>; %1 to %n neighbours</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>; %n neighbour(s) each</source>
            <translation>
                <numerusform>; %n neighbour each</numerusform>
                <numerusform>; %n neighbours each</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>; at most %n edge(s) apart</source>
            <translation>
                <numerusform>; at most %n edge apart</numerusform>
                <numerusform>; at most %n edges apart</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Add %n host(s)</source>
            <translation>
                <numerusform>Add %n host</numerusform>
                <numerusform>Add %n hosts</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>adding %n host(s)</source>
            <translation>
                <numerusform>adding %n host</numerusform>
                <numerusform>adding %n hosts</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>changing %n place(s)</source>
            <translation>
                <numerusform>changing %n place</numerusform>
                <numerusform>changing %n places</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>changing %n place(s) in %1</source>
            <translation>
                <numerusform>changing %n place in %1</numerusform>
                <numerusform>changing %n places in %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Deleted %n run(s). %1</source>
            <translation>
                <numerusform>Deleted %n run. %1</numerusform>
                <numerusform>Deleted %n runs. %1</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>every %n step(s)</source>
            <translation>
                <numerusform>every step</numerusform>
                <numerusform>every %n steps</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>Export %n run(s)</source>
            <translation>
                <numerusform>Export %n run</numerusform>
                <numerusform>Export %n runs</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>removing %n edge(s)</source>
            <translation>
                <numerusform>removing %n edge</numerusform>
                <numerusform>removing %n edges</numerusform>
            </translation>
        </message>
        <message numerus="yes">
            <source>removing %n node(s)</source>
            <translation>
                <numerusform>removing %n node</numerusform>
                <numerusform>removing %n nodes</numerusform>
            </translation>
        </message>
    </context>
</TS>
