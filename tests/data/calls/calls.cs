// A server and its client, to be recorded at once: calls serve PORT SECONDS | calls ask PORT N
using System.Diagnostics;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

if (args[0] == "serve")
{
    int served = 0, ids = 0;
    WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
    builder.WebHost.UseKestrelCore().UseUrls($"http://127.0.0.1:{args[1]}");
    builder.Logging.ClearProviders();
    await using WebApplication app = builder.Build();
    app.Run(async context =>
    {
        Interlocked.Increment(ref served);
        if (context.Request.Headers.TraceParent.Count > 0)
            Interlocked.Increment(ref ids);
        await Task.Delay(2 + served % 5);
        await context.Response.WriteAsync("served");
    });
    await app.StartAsync();
    await Task.Delay(int.Parse(args[2]) * 1000);
    await app.StopAsync();
    Console.WriteLine($"served {served} withTraceParent {ids}");
}
else
{
    await Task.Delay(int.Parse(args[3]) * 1000);
    int answered = 0, next = 0, n = int.Parse(args[2]);
    using var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{args[1]}") };
    await Task.WhenAll(Enumerable.Range(0, 3).Select(async _ =>
    {
        for (int i; (i = Interlocked.Increment(ref next)) <= n;)
        {
            using HttpResponseMessage reply = await client.GetAsync($"/item/{i}");
            await reply.Content.ReadAsStringAsync();
            Interlocked.Increment(ref answered);
        }
    }));
    await Task.Delay(500);
    Console.WriteLine($"answered {answered}");
}
