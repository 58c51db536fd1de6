# bash completion for tnav(1).
# Made by `tnav help --bash`; do not edit.
_tnav()
{
	local cur=$2 prev=$3 command= head= words= fields= w
	COMPREPLY=()
	[[ $cur == = ]] && cur=
	[[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}
	for w in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		if [[ $w == -- ]]; then
			COMPREPLY=($(compgen -f -- "$cur"))
			compopt -o filenames
			return
		fi
		[[ -z $command && ' info dump types threads stats spans activities stacks summary gc allocs exceptions contention jit loader threadpool requests tasks counters samples cpu switches gaps check providers ps attach record help ' == *" $w "* ]] && command=$w
	done
	case $command in
	info) words='--format --utc --output -o --color --input-format --jobs -j --progress --verbose -v --help -h --version'
		fields='file size format version pointerSize syncTime tickFrequency duration events types providers threads processes lost gaps clean findings cut keyValues pid processors firstFindings memory commandLine os architecture runtime runtimePath eventsByProvider' ;;
	dump) words='--filter -f --from --to --limit -n --fields -e --format --order --gaps --enums --crc --raw --symbols --perf-map --symbol-path --follow --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error' ;;
	types) words='--filter -f --from --to --limit -n --fields -e --format --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='provider id version name event events bytes first last fields' ;;
	threads) words='--filter -f --from --to --limit -n --fields -e --format --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='tid pid process threadIndex name role roleDerived events bytes first last lost gaps lives keyValues' ;;
	stats) words='--filter -f --from --to --limit -n --fields -e --by --every --count --sum --avg --min --max --pct --distinct --sort --top --format --enums --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error events bytes share first last rate' ;;
	spans) words='--filter -f --from --to --limit -n --fields -e --by --sort --top --list --by-name --format --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error kind group provider name by label start dur tid stopTid activity matched key state row stopRow pid gap self states crossThread selfTotal count total mean min p50 p90 p99 p999 max open lost orphans doubtful histogram' ;;
	activities) words='--filter -f --from --to --limit -n --fields -e --format --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind activity path name creator start dur self state events asRelated first last threads starts stops exceptions parentByPath parentByRelated parent parentPath critical criticalTime criticalShare activities paths otherIds eventsWithout eventsWith roots reused relatedIsPathParent relatedDiffersFromPath' ;;
	stacks) words='--filter -f --from --to --limit -n --fields -e --by --fold --tree --weight --speedscope --fold-rule --compare --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error depth name inclusive inclusiveShare exclusive exclusiveShare part partShare difference events module' ;;
	summary) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind what value remark evidence remarks reports missing lost gaps' ;;
	gc) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind number generation reason type start pauseStart pause dur suspend pauses sizeAfter promoted heapBefore heapAfter promotedTotal survival fragmentation gen0 gen1 gen2 loh poh finalizationPromotedSize finalizationPromotedCount pinnedObjects gcHandles heaps sizeBefore budget survived free tid row complete incomplete gap count byGeneration byReason byType numbersMissing pauseByGeneration suspensions suspensionsWithoutGC suspensionsUnclosed otherSuspensions stoppedForGC traceSpan pausedShare heapAfterMax lost gaps' ;;
	allocs) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind source type count bytes share rate estCount estBytes meanObject large pinned objectMax threads first last tid types byKind lost gaps' ;;
	exceptions) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind t start dur tid type message count share caught thrower caughtBy flight method flagWords hresult flags eip frame frames top throwerFrame entry row state gap threads first last throwers types reThrown nested blocks lost gaps' ;;
	contention) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind start dur durationNs tid lock object owner flags row state gap count durationNsTotal paired open orphans threads locks locksCreated share total mean p50 p90 p99 max site sites lost gaps' ;;
	jit) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind start end dur self tier background count time total share selfTotal mean p50 p90 p99 max ilSize nativeSize method module tid rejit methodId address dynamic generic row state hotCode roData codeMemory gap open withoutStart byTier byBackground methods r2rEntryPoints methodsRundown unloaded lost gaps' ;;
	loader) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind t what name dur self tid state unloaded level result path id row gap count share total selfTotal mean p50 p90 p99 max open assemblies modules types bindings rundown lost gaps' ;;
	threadpool) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind t tid workers reason throughput minWorkers maxWorkers minIO maxIO active retired row wait fromTid enqueued dequeued queued items share total mean p50 p90 p99 max adjustments byReason lastWorkers workerStarts workerStops workerWaits paired neverDequeued dequeuedWithoutEnqueue itemsByThread lost gaps' ;;
	requests) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind side start dur status method url route failed count share total mean p50 p90 p99 max tid stopTid state activity parent row gap paired open byStatus crossThread phase queue headers body wait response lost gaps' ;;
	tasks) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind scheduled waited start dur tid runTid task creator behavior name status exceptional state activity row gap count share total mean p50 p90 p99 max waitedTotal blocked blockedTotal tasks waits operations crossThread failed neverStarted neverEnded lost gaps' ;;
	counters) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind source provider name tags unit type samples last perSecond min max sum count quantiles displayName rateScale meterVersion instrumentId session points what t meter description event payload row series collections instruments lost gaps' ;;
	samples) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind method exclusive inclusive managed external share inclusiveShare module count methods stacks withoutStack lost gaps' ;;
	cpu) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind process pid tid threadName samples share topMethod topSamples count threads processes lost gaps' ;;
	switches) words='--filter -f --from --to --limit -n --fields -e --by --format --perf-map --symbol-path --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='kind process pid tid threadName switches onCpu offCpu onShare longestOff by row threads lost gaps' ;;
	gaps) words='--filter -f --from --to --limit -n --fields -e --format --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='gap tid threadIndex stream life why after from to' ;;
	check) words='--limit -n --fields -e --format --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='severity kind offset bytes count text' ;;
	providers) words='--limit -n --fields -e --format --utc --output -o --color --input-format --jobs -j --progress --help -h --version'
		fields='provider kind keywords id name level events text' ;;
	ps) words='--limit -n --fields -e --format --output -o --color --all -a --help -h --version'
		fields='pid innerPid uid user name commandLine runtime arch rid uptime state why socket' ;;
	attach) words='--filter -f --utc --color --jobs -j --script -x --profile --providers --clrevents --clreventlevel --events --counters --refresh-interval --no-stacks --rundown --buffersize --duration --until --max-size --process-id -p --listen --diagnostic-port --resume-runtime --name -n --help -h --version'
		fields='row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error' ;;
	record) words='--progress --profile --providers --clrevents --clreventlevel --events --counters --refresh-interval --no-stacks --rundown --buffersize --duration --until --max-size --output -o --process-id -p --listen --diagnostic-port --resume-runtime --show-child-io --name -n --help -h --version'
		fields='row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error' ;;
	help) words='--help -h --version'
		fields='row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error' ;;
	*) words='--filter -f --from --to --perf-map --symbol-path --follow --utc --color --input-format --jobs -j --script -x --help -h --version'
		fields='row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error' ;;
	esac
	case $prev in
	-f|--filter)
		:
		return ;;
	--from)
		:
		return ;;
	--to)
		:
		return ;;
	-n|--limit)
		:
		return ;;
	-e|--fields)
		[[ $cur == *,* ]] && head=${cur%,*},
		COMPREPLY=($(compgen -P "$head" -W "$fields" -- "${cur##*,}"))
		compopt -o nospace
		return ;;
	--by)
		[[ $cur == *,* ]] && head=${cur%,*},
		COMPREPLY=($(compgen -P "$head" -W 'row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error' -- "${cur##*,}"))
		compopt -o nospace
		return ;;
	--every)
		:
		return ;;
	--count)
		[[ $cur == *,* ]] && head=${cur%,*},
		COMPREPLY=($(compgen -P "$head" -W 'row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error' -- "${cur##*,}"))
		compopt -o nospace
		return ;;
	--sum)
		[[ $cur == *,* ]] && head=${cur%,*},
		COMPREPLY=($(compgen -P "$head" -W 'row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error' -- "${cur##*,}"))
		compopt -o nospace
		return ;;
	--avg)
		[[ $cur == *,* ]] && head=${cur%,*},
		COMPREPLY=($(compgen -P "$head" -W 'row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error' -- "${cur##*,}"))
		compopt -o nospace
		return ;;
	--min)
		[[ $cur == *,* ]] && head=${cur%,*},
		COMPREPLY=($(compgen -P "$head" -W 'row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error' -- "${cur##*,}"))
		compopt -o nospace
		return ;;
	--max)
		[[ $cur == *,* ]] && head=${cur%,*},
		COMPREPLY=($(compgen -P "$head" -W 'row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error' -- "${cur##*,}"))
		compopt -o nospace
		return ;;
	--pct)
		:
		return ;;
	--distinct)
		[[ $cur == *,* ]] && head=${cur%,*},
		COMPREPLY=($(compgen -P "$head" -W 'row t ticks delta dur self span.name span.label span.state span.depth stop.dur provider id version name event level keywords opcode pid tid threadIndex thread thread.role process captureTid cpu seq stream substream activity related lost labels stack stack.method stack.module size crc raw payload builtin undecoded error' -- "${cur##*,}"))
		compopt -o nospace
		return ;;
	--sort)
		:
		return ;;
	--top)
		:
		return ;;
	--tree)
		:
		return ;;
	--weight)
		:
		return ;;
	--fold-rule)
		:
		return ;;
	--compare)
		:
		return ;;
	--format)
		COMPREPLY=($(compgen -W 'text jsonl csv tsv' -- "$cur"))
		return ;;
	--order)
		COMPREPLY=($(compgen -W 'time file' -- "$cur"))
		return ;;
	--perf-map)
		COMPREPLY=($(compgen -f -- "$cur"))
		return ;;
	--symbol-path)
		COMPREPLY=($(compgen -f -- "$cur"))
		return ;;
	-o|--output)
		COMPREPLY=($(compgen -f -- "$cur"))
		return ;;
	--color)
		COMPREPLY=($(compgen -W 'auto always never' -- "$cur"))
		return ;;
	--input-format)
		COMPREPLY=($(compgen -W 'nettrace4 nettrace6 netperf3 netperf2 heph' -- "$cur"))
		return ;;
	-j|--jobs)
		:
		return ;;
	-x|--script)
		COMPREPLY=($(compgen -f -- "$cur"))
		return ;;
	--profile)
		:
		return ;;
	--providers)
		:
		return ;;
	--clrevents)
		:
		return ;;
	--clreventlevel)
		:
		return ;;
	--events)
		:
		return ;;
	--counters)
		:
		return ;;
	--refresh-interval)
		:
		return ;;
	--rundown)
		:
		return ;;
	--buffersize)
		:
		return ;;
	--duration)
		:
		return ;;
	--until)
		:
		return ;;
	--max-size)
		:
		return ;;
	-o|--output)
		COMPREPLY=($(compgen -f -- "$cur"))
		return ;;
	-p|--process-id)
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" ps -e pid --format tsv 2>/dev/null | tail -n +2 |
			tr -cd 'A-Za-z0-9._\t\n-' | tr '\t' '\n')" -- "$cur"))
		return ;;
	--listen)
		COMPREPLY=($(compgen -f -- "$cur"))
		return ;;
	--diagnostic-port)
		COMPREPLY=($(compgen -f -- "$cur"))
		return ;;
	--resume-runtime)
		COMPREPLY=($(compgen -W 'true false' -- "$cur"))
		return ;;
	-n|--name)
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" ps -e name --format tsv 2>/dev/null | tail -n +2 |
			tr -cd 'A-Za-z0-9._\t\n-' | tr '\t' '\n')" -- "$cur"))
		return ;;
	esac
	if [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "$words" -- "$cur"))
		return
	fi
	if [[ $command == help ]]; then
		COMPREPLY=($(compgen -W 'info dump types threads stats spans activities stacks summary gc allocs exceptions contention jit loader threadpool requests tasks counters samples cpu switches gaps check providers ps attach record help filter formats' -- "$cur"))
		return
	fi
	case $command in
	attach|record)
		COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" ps -e pid,name --format tsv 2>/dev/null | tail -n +2 |
			tr -cd 'A-Za-z0-9._\t\n-' | tr '\t' '\n')" -- "$cur"))
		return ;;
	esac
	COMPREPLY=($(compgen -f -- "$cur"))
	[[ -z $command ]] && COMPREPLY+=($(compgen -W 'info dump types threads stats spans activities stacks summary gc allocs exceptions contention jit loader threadpool requests tasks counters samples cpu switches gaps check providers ps attach record help' -- "$cur"))
	compopt -o filenames
}
complete -F _tnav tnav
