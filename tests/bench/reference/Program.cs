// The same as `tnav gc`, `tnav jit` and `tnav stacks --weight time`, by the reference library.
//
//     reference gc|jit|stacks FILE      one JSON object: what was found, and how long it took
//
// Each figure is of a whole process, as tnav's are. What the library needs to convert a file
// (.etlx) is written to the folder of the temporary files and counts as a part of the work.
using System.Diagnostics;
using System.Text.Json;
using Microsoft.Diagnostics.Symbols;
using Microsoft.Diagnostics.Tracing;
using Microsoft.Diagnostics.Tracing.Analysis;
using Microsoft.Diagnostics.Tracing.Etlx;
using TraceLog = Microsoft.Diagnostics.Tracing.Etlx.TraceLog;
using Microsoft.Diagnostics.Tracing.Stacks;

if (args.Length != 2)
{
    Console.Error.WriteLine("usage: reference gc|jit|stacks FILE");
    return 2;
}
var clock = Stopwatch.StartNew();
var found = args[0] switch
{
    "gc" => Runtime(args[1], p => p.GC.GCs.Count(g => g.IsComplete)),
    "jit" => Runtime(args[1], p => p.JIT.Stats().Count),
    "stacks" => Samples(args[1]),
    _ => throw new ArgumentException(args[0]),
};
Console.WriteLine(JsonSerializer.Serialize(new { found, ms = clock.ElapsedMilliseconds }));
return 0;

// The analysis of the runtime's events: collections, or methods that were compiled.
static long Runtime(string path, Func<TraceLoadedDotNetRuntime, long> count)
{
    using var source = new EventPipeEventSource(path);
    source.NeedLoadedDotNetRuntimes();
    source.Process();
    return source.Processes().Select(p => p.LoadedDotNetRuntime()).Where(r => r != null).Sum(count);
}

// Stacks of the sampler, weighed by the time until the next one of the thread, all added up.
static long Samples(string path)
{
    var etlx = TraceLog.CreateFromEventPipeDataFile(path, Path.GetTempFileName());
    try
    {
        using var log = new TraceLog(etlx);
        using var symbols = new SymbolReader(TextWriter.Null) { SymbolPath = "" };
        var stacks = new MutableTraceEventStackSource(log) { OnlyManagedCodeStacks = true };
        var computer = new SampleProfilerThreadTimeComputer(log, symbols);
        computer.GenerateThreadTimeStacks(stacks);
        var tree = new CallTree(ScalingPolicyKind.ScaleToData) { StackSource = stacks };
        if (tree.Root.InclusiveMetric < 0)
            throw new InvalidDataException("stacks that weigh less than nothing");
        return log.Stats.Where(x => x.ProviderName == "Microsoft-DotNETCore-SampleProfiler" &&
                                    x.EventName == "Thread/Sample").Sum(x => (long)x.Count);
    }
    finally
    {
        File.Delete(etlx);
    }
}
