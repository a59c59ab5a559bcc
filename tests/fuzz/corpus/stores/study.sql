-- Rows of a results store, for tests/fuzz/store_target.cc: a study of one case under two schedulers.
INSERT INTO configurations VALUES('e4137586abcec7ae', 'gtx480', '{"clusters":15,"sms_per_cluster":1,"kernel_launch_latency":0,"device_launch_latency":5000,"concurrent_kernels":16,"hardware_queues":1,"copy_engines":0,"copy_bandwidth":8000,"copy_pageable_percent":50,"copy_latency":1000,"default_scheduler":"gto","cta_placement":"round_robin","first_cluster":0,"compute_major":7,"compute_minor":5,"memory_size":"4GiB","pitch_alignment":512,"clocks.core":700,"clocks.icnt":700,"clocks.l2":700,"clocks.dram":924,"sm.max_threads":1536,"sm.max_ctas":8,"sm.registers":32768,"sm.shared_size":"48KiB","sm.schedulers":2,"sm.max_issue":1,"sm.dual_issue_different_units":"true","sm.sub_cores":"false","sm.first_scheduler_rotates":"true","sm.fetch_throughput":1,"sm.writeback_latches":2,"sm.writeback_delay":2,"sm.sfu_latency":8,"sm.sfu_interval":8,"sm.tensor_latency":64,"sm.tensor_interval":64,"sm.register_banks":16,"sm.single_ported_collectors":"false","sm.collectors_step_in_lsu":"false","sm.duplicate_operands_read_twice":"false","sm.integer_products_on_sfu":"false","sm.fetch_again_after_miss":"false","sm.register_numbers":"dense","sm.code_placement":"aligned","sm.register_bank_ports":1,"sm.coalescing_arch":20,"sm.l1d_access":"queued","sm.global_loads_skip_l1d":"false","sm.flush_l1d_at_kernel_end":"true","sm.memory_barriers_empty_l1d":"true","sm.volatile_loads_use_l1d":"true","sm.vector_stores_mark_first_element":"true","sm.perfect_instruction_cache":"false","sm.perfect_constant_cache":"false","sm.unified_size":0,"sm.shared_sizes":0,"sm.shared.banks":32,"sm.shared.warp_parts":1,"sm.shared.latency":26,"sm.units.sp":2,"sm.units.dp":0,"sm.units.int":0,"sm.units.sfu":1,"sm.units.mem":1,"sm.units.tensor":0,"sm.issue_latches.sp":2,"sm.issue_latches.dp":0,"sm.issue_latches.int":0,"sm.issue_latches.sfu":1,"sm.issue_latches.mem":1,"sm.issue_latches.tensor":0,"sm.dispatch_latches.sp":2,"sm.dispatch_latches.dp":0,"sm.dispatch_latches.int":0,"sm.dispatch_latches.sfu":1,"sm.dispatch_latches.mem":1,"sm.dispatch_latches.tensor":0,"sm.int_op.latency":"4,13,4,5,145,32","sm.int_op.interval":"1,2,2,1,8,4","sm.fp_op.latency":"4,13,4,5,39,0","sm.fp_op.interval":"1,2,1,1,4,0","sm.dp_op.latency":"8,19,8,8,330,0","sm.dp_op.interval":"8,16,8,8,130,0","sm.collectors.sp.units":6,"sm.collectors.sp.in_ports":2,"sm.collectors.sp.out_ports":2,"sm.collectors.sfu.units":8,"sm.collectors.sfu.in_ports":1,"sm.collectors.sfu.out_ports":1,"sm.collectors.mem.units":2,"sm.collectors.mem.in_ports":1,"sm.collectors.mem.out_ports":1,"sm.collectors.generic.units":0,"sm.collectors.generic.in_ports":0,"sm.collectors.generic.out_ports":0,"sm.l1d.size":"16KiB","sm.l1d.line":128,"sm.l1d.ways":4,"sm.l1d.filling":"lines","sm.l1d.replacement":"lru","sm.l1d.write":"local_back_global_through","sm.l1d.allocation":"on_miss","sm.l1d.write_allocation":"none","sm.l1d.set_index":"fermi_hash","sm.l1d.mshr_keying":"sector","sm.l1d.mshr_entries":64,"sm.l1d.mshr_merges":8,"sm.l1d.miss_queue":8,"sm.l1d.data_port":0,"sm.l1d.written_share":0,"sm.l1d.hit_latency":35,"sm.l1d.banks":1,"sm.l1i.size":"2KiB","sm.l1i.line":128,"sm.l1i.ways":4,"sm.l1i.filling":"lines","sm.l1i.replacement":"lru","sm.l1i.write":"read_only","sm.l1i.allocation":"on_fill","sm.l1i.write_allocation":"none","sm.l1i.set_index":"linear","sm.l1i.mshr_keying":"sector","sm.l1i.mshr_entries":2,"sm.l1i.mshr_merges":32,"sm.l1i.miss_queue":4,"sm.l1i.data_port":0,"sm.l1i.written_share":0,"sm.constant.size":"8KiB","sm.constant.line":64,"sm.constant.ways":2,"sm.constant.filling":"lines","sm.constant.replacement":"lru","sm.constant.write":"read_only","sm.constant.allocation":"on_fill","sm.constant.write_allocation":"none","sm.constant.set_index":"linear","sm.constant.mshr_keying":"sector","sm.constant.mshr_entries":2,"sm.constant.mshr_merges":32,"sm.constant.miss_queue":4,"sm.constant.data_port":0,"sm.constant.written_share":0,"sm.texture.size":"12KiB","sm.texture.line":128,"sm.texture.ways":24,"sm.texture.filling":"lines","sm.texture.replacement":"lru","sm.texture.write":"read_only","sm.texture.allocation":"on_miss","sm.texture.write_allocation":"none","sm.texture.set_index":"linear","sm.texture.mshr_keying":"line","sm.texture.mshr_entries":128,"sm.texture.mshr_merges":4,"sm.texture.miss_queue":128,"sm.texture.data_port":0,"sm.texture.written_share":0,"network.topology":"butterfly","network.flit":40,"network.buffer":64,"network.virtual_channels":1,"network.output_speedup":1,"network.internal_speedup":1,"network.multiple_grants":"false","network.packet_gap":0,"network.injection":8,"network.ejection":32,"network.slice_flits":0,"network.request_latency":6,"network.reply_latency":8,"memory.channels":6,"memory.slices_per_channel":2,"memory.rop_latency":120,"memory.dram_latency":100,"memory.partition_queues":"64,64,64,64","memory.slice_room":4,"memory.flush_l2_at_kernel_end":"false","memory.address_bits":"S6 C2 B1 C4 B3 R12","memory.partition_hash":0,"memory.memcpy_fills_l2":"false","memory.memcpy_from_device_fills_l2":"false","memory.l2.size":"64KiB","memory.l2.line":128,"memory.l2.ways":8,"memory.l2.filling":"sectors","memory.l2.replacement":"lru","memory.l2.write":"write_back","memory.l2.allocation":"on_miss","memory.l2.write_allocation":"lazy_fetch_on_read","memory.l2.set_index":"linear","memory.l2.mshr_keying":"line","memory.l2.mshr_entries":256,"memory.l2.mshr_merges":4,"memory.l2.miss_queue":4,"memory.l2.data_port":32,"memory.l2.written_share":0,"memory.dram.bus":4,"memory.dram.chips":2,"memory.dram.burst":8,"memory.dram.ratio":4,"memory.dram.banks":16,"memory.dram.bank_groups":4,"memory.dram.bank_group_bits":"low","memory.dram.ccd":2,"memory.dram.rrd":6,"memory.dram.rcd":12,"memory.dram.ras":28,"memory.dram.rp":12,"memory.dram.rc":40,"memory.dram.cl":12,"memory.dram.wl":4,"memory.dram.cdlr":5,"memory.dram.wr":12,"memory.dram.ccdl":3,"memory.dram.rtpl":2,"memory.dram.faw":0,"memory.dram.frfcfs_queue":64,"memory.dram.frfcfs_passes":0,"memory.dram.return_queue":116,"memory.dram.separate_writes":"false","memory.dram.write_queue":32,"memory.dram.write_high":28,"memory.dram.write_low":16,"memory.dram.dual_command_bus":"false","energy.sp_lane":4.6,"energy.dp_lane":50,"energy.int_lane":3.2,"energy.sfu_lane":20,"energy.mem_lane":0.5,"energy.issue":70,"energy.register_read":160,"energy.register_write":160,"energy.shared_cycle":384,"energy.l1d_access":224,"energy.constant_access":10,"energy.instruction_fetch":20,"energy.l2_access":110,"energy.network_flit":388,"energy.dram_read_byte":96,"energy.dram_write_byte":96,"energy.dram_activate":2400,"energy.dram_precharge":1200,"energy.static_power":50}', 'name = "gtx480"
clusters = 15
sms_per_cluster = 1
kernel_launch_latency = 0
device_launch_latency = 5000
concurrent_kernels = 16
hardware_queues = 1
copy_engines = 0
copy_bandwidth = 8000
copy_pageable_percent = 50
copy_latency = 1000
default_scheduler = "gto"
cta_placement = "round_robin"
first_cluster = 0
compute_major = 7
compute_minor = 5
memory_size = "4GiB"
pitch_alignment = 512

[clocks]
core = 700
icnt = 700
l2 = 700
dram = 924

[sm]
max_threads = 1536
max_ctas = 8
registers = 32768
shared_size = "48KiB"
schedulers = 2
max_issue = 1
dual_issue_different_units = true
[sm.shared]
banks = 32
warp_parts = 1
latency = 26

');
INSERT INTO statistics VALUES(1, 'launches', 'launches', 'launches of the run (totals only)');
INSERT INTO statistics VALUES(6, 'cycles', 'cycles', 'core cycles from the launch to the end of the last CTA');
INSERT INTO statistics VALUES(7, 'thread_instructions', 'instructions', 'instructions executed, lane by lane');
INSERT INTO statistics VALUES(8, 'warp_instructions', 'warp instructions', 'instructions issued');
INSERT INTO statistics VALUES(9, 'ipc', 'instructions per cycle', 'thread instructions per core cycle of the whole GPU');
INSERT INTO statistics VALUES(13, 'ctas.last_cycles', 'cycles', 'the time of the CTA that ended last');
INSERT INTO statistics VALUES(19, 'slots.barrier', 'slots', 'what each issue slot did: barrier');
INSERT INTO statistics VALUES(20, 'slots.scoreboard', 'slots', 'what each issue slot did: scoreboard');
INSERT INTO statistics VALUES(24, 'l1d.hits', 'requests', 'accesses whose data were in the cache');
INSERT INTO statistics VALUES(25, 'l1d.pending_hits', 'requests', 'accesses merged into an outstanding fetch');
INSERT INTO statistics VALUES(31, 'l1d.write_misses', 'requests', 'writes among the misses');
INSERT INTO statistics VALUES(37, 'l1d.reservation_fails.miss_queue_full', 'cycles', 'attempts refused because a resource was full, by cause: miss_queue_full');
INSERT INTO statistics VALUES(43, 'constant.accesses', 'requests', 'accepted reads and writes: hits + pending hits + misses');
INSERT INTO statistics VALUES(49, 'constant.write_hits', 'requests', 'writes among the hits');
INSERT INTO statistics VALUES(55, 'constant.reservation_fails.mshr_full', 'cycles', 'attempts refused because a resource was full, by cause: mshr_full');
INSERT INTO statistics VALUES(61, 'constant.writebacks', 'lines', 'dirty lines written to the next level on eviction');
INSERT INTO statistics VALUES(67, 'texture.sector_misses', 'requests', 'misses whose line was in the cache, but not the data of the sector');
INSERT INTO statistics VALUES(73, 'texture.hits_other_warp', 'requests', 'hits on lines that another warp brought in');
INSERT INTO statistics VALUES(79, 'texture.fetches', 'requests', 'reads sent to the next level');
INSERT INTO statistics VALUES(85, 'instruction.pending_hits', 'requests', 'accesses merged into an outstanding fetch');
INSERT INTO statistics VALUES(91, 'instruction.write_misses', 'requests', 'writes among the misses');
INSERT INTO statistics VALUES(97, 'instruction.reservation_fails.miss_queue_full', 'cycles', 'attempts refused because a resource was full, by cause: miss_queue_full');
INSERT INTO statistics VALUES(103, 'sm.cycles', 'cycles', 'core cycles with a CTA resident');
INSERT INTO statistics VALUES(109, 'sm.thread_instructions', 'instructions', 'instructions times the lanes that executed them; lanes with a false guard excluded');
INSERT INTO statistics VALUES(115, 'sm.unit_lanes.int', 'lanes', 'executed lanes, by the unit of their instruction: int');
INSERT INTO statistics VALUES(121, 'sm.active_lanes.0', 'warp instructions', 'warp instructions by executed lanes: 0');
INSERT INTO statistics VALUES(127, 'sm.active_lanes.6', 'warp instructions', 'warp instructions by executed lanes: 6');
INSERT INTO statistics VALUES(133, 'sm.active_lanes.12', 'warp instructions', 'warp instructions by executed lanes: 12');
INSERT INTO statistics VALUES(139, 'sm.active_lanes.18', 'warp instructions', 'warp instructions by executed lanes: 18');
INSERT INTO statistics VALUES(145, 'sm.active_lanes.24', 'warp instructions', 'warp instructions by executed lanes: 24');
INSERT INTO statistics VALUES(151, 'sm.active_lanes.30', 'warp instructions', 'warp instructions by executed lanes: 30');
INSERT INTO statistics VALUES(157, 'sm.accesses_per_instruction.3', 'warp instructions', 'global and local memory instructions by accesses after coalescing: 3');
INSERT INTO statistics VALUES(163, 'sm.accesses_per_instruction.9', 'warp instructions', 'global and local memory instructions by accesses after coalescing: 9');
INSERT INTO statistics VALUES(169, 'sm.accesses_per_instruction.15', 'warp instructions', 'global and local memory instructions by accesses after coalescing: 15');
INSERT INTO statistics VALUES(175, 'sm.accesses_per_instruction.21', 'warp instructions', 'global and local memory instructions by accesses after coalescing: 21');
INSERT INTO statistics VALUES(181, 'sm.accesses_per_instruction.27', 'warp instructions', 'global and local memory instructions by accesses after coalescing: 27');
INSERT INTO statistics VALUES(187, 'sm.loads.global', 'warp instructions', 'loads by space: global');
INSERT INTO statistics VALUES(193, 'sm.stores.global', 'warp instructions', 'stores by space: global');
INSERT INTO statistics VALUES(199, 'sm.atomics.global', 'warp instructions', 'atomics and reductions by space: global');
INSERT INTO statistics VALUES(205, 'sm.coalesced_accesses', 'accesses', 'accesses that left the coalescer');
INSERT INTO statistics VALUES(211, 'sm.lsu_stalls.shared_conflict', 'cycles', 'cycles in which an instruction stayed in the load/store unit, by cause: shared_conflict');
INSERT INTO statistics VALUES(217, 'sm.reexecution_queued', 'accesses', 'accesses that moved from the L1''s pipeline to the re-execution queue');
INSERT INTO statistics VALUES(223, 'sm.buffer_flushes', 'events', 'instruction buffers flushed because the warp branched elsewhere');
INSERT INTO statistics VALUES(229, 'sm.l1d_critical.critical_insertions', 'lines', 'lines inserted into the ways of critical warps');
INSERT INTO statistics VALUES(235, 'l2.accesses', 'requests', 'accepted reads and writes: hits + pending hits + misses');
INSERT INTO statistics VALUES(241, 'l2.write_hits', 'requests', 'writes among the hits');
INSERT INTO statistics VALUES(247, 'l2.reservation_fails.mshr_full', 'cycles', 'attempts refused because a resource was full, by cause: mshr_full');
INSERT INTO statistics VALUES(253, 'l2.writebacks', 'lines', 'dirty lines written to the next level on eviction');
INSERT INTO statistics VALUES(259, 'dram.activates', 'events', 'rows opened');
INSERT INTO statistics VALUES(265, 'dram.requests', 'requests', 'completed requests');
INSERT INTO statistics VALUES(271, 'request_network.flits', 'flits', 'flits delivered');
INSERT INTO statistics VALUES(277, 'replies', 'packets', 'packets sent to SMs: one per sector');
INSERT INTO statistics VALUES(283, 'rates.l1d_hits', 'ratio', 'L1 data cache: hits over accesses; pending hits are not hits');
INSERT INTO statistics VALUES(289, 'rates.lanes_per_instruction', 'lanes', 'active lanes per warp instruction');
INSERT INTO statistics VALUES(295, 'read_time.dram_queue', 'cycles', 'part of it: in the DRAM scheduler''s queue');
INSERT INTO statistics VALUES(301, 'energy.dram_precharge_nj', 'nJ', 'estimate: dram.precharges, times the GPU''s [energy]');
INSERT INTO statistics VALUES(307, 'energy.shared_nj', 'nJ', 'estimate: sm.shared_cycles, times the GPU''s [energy]');
INSERT INTO runs VALUES(1, '2571ff98275f0755495660196ec9c70e', 'vecadd', '["tiny"]', '7cac0690210d992e74785e2383bf1270', NULL, 'gtx480', '[]', 'e4137586abcec7ae', 'gto', 'rr', 'leftover', '[]', 1, 0, '0.1.0', '50a08c8ec35408d1fb77c6376ab21d55', 'completed', NULL, 0, 'host', '2026-11-27T04:37:23Z', 0.059441744, 0.010079999999999999, 19361792, NULL, NULL, 1, 1.0, 1667, 2816, 86016);
INSERT INTO runs VALUES(2, 'c56968fb9b401bb3c5fbe8a1d23e22b6', 'vecadd', '["tiny"]', '7cac0690210d992e74785e2383bf1270', NULL, 'gtx480', '[]', 'e4137586abcec7ae', 'lrr', 'rr', 'leftover', '[]', 1, 0, '0.1.0', '50a08c8ec35408d1fb77c6376ab21d55', 'completed', NULL, 0, 'host', '2026-11-27T04:37:23Z', 0.076002094, 0.010461999999999999, 20447232, NULL, NULL, 1, 1.0, 1704, 2816, 86016);
INSERT INTO kernels VALUES(1, 1, 1, 'add(float const*, float const*, float*, int)', 'timed', '16x1x1', '256x1x1', 8, 0, 2, 16, 'grid', 0, 1667, 2816, 86016);
INSERT INTO kernels VALUES(2, 2, 1, 'add(float const*, float const*, float*, int)', 'timed', '16x1x1', '256x1x1', 8, 0, 2, 16, 'grid', 0, 1704, 2816, 86016);
INSERT INTO run_values VALUES
  (1,1,1), (1,6,1667), (1,7,86016), (1,8,2816), (1,9,51.59928014397121), (1,13,1667), (1,19,0),
  (1,20,21094), (1,24,0), (1,25,0), (1,31,128), (1,37,0), (1,43,512), (1,49,0), (1,55,0), (1,61,0),
  (1,67,0), (1,73,0), (1,79,0), (1,85,226), (1,91,0), (1,97,0), (1,103,23433), (1,109,86016),
  (1,115,0), (1,121,128), (1,127,0), (1,133,0), (1,139,0), (1,145,0), (1,151,0), (1,157,0),
  (1,163,0), (1,169,0), (1,175,0), (1,181,0), (1,187,256), (1,193,128), (1,199,0), (1,205,384),
  (1,211,0), (1,217,0), (1,223,0), (1,229,0), (1,235,1686), (1,241,0), (1,247,0), (1,253,0),
  (1,259,15), (1,265,1034), (1,271,813), (1,277,1686), (1,283,0.0), (1,289,30.545454545454547),
  (1,295,57.702880594703416), (1,301,3.6), (1,307,0.0), (2,1,1), (2,6,1704), (2,7,86016),
  (2,8,2816), (2,9,50.478873239436616), (2,13,1703), (2,19,0), (2,20,20906), (2,24,0), (2,25,0),
  (2,31,128), (2,37,0), (2,43,512), (2,49,0), (2,55,0), (2,61,0), (2,67,0), (2,73,0), (2,79,0),
  (2,85,226), (2,91,0), (2,97,0), (2,103,23727), (2,109,86016), (2,115,0), (2,121,128), (2,127,0),
  (2,133,0), (2,139,0), (2,145,0), (2,151,0), (2,157,0), (2,163,0), (2,169,0), (2,175,0), (2,181,0),
  (2,187,256), (2,193,128), (2,199,0), (2,205,384), (2,211,0), (2,217,0), (2,223,0), (2,229,0),
  (2,235,1686), (2,241,0), (2,247,0), (2,253,0), (2,259,15), (2,265,1034), (2,271,813),
  (2,277,1686), (2,283,0.0), (2,289,30.545454545454547), (2,295,57.382169222032935), (2,301,3.6),
  (2,307,0.0);
INSERT INTO kernel_values VALUES
  (1,9,51.59928014397121), (1,19,0), (1,20,21094), (1,24,0), (1,25,0), (1,73,0), (1,235,1686),
  (1,283,0.0), (1,289,30.545454545454547), (1,295,57.702880594703416), (2,9,50.478873239436616),
  (2,19,0), (2,20,20906), (2,24,0), (2,25,0), (2,73,0), (2,235,1686), (2,283,0.0),
  (2,289,30.545454545454547), (2,295,57.382169222032935);
INSERT INTO studies VALUES(1, 'tiny', 'Tiny', '/home/you/tiny.toml', 'title = "Tiny"
gpus = ["gtx480"]
schedulers = ["lrr", "gto"]
[best_of]
"best" = ["lrr", "gto"]
[[case]]
name = "vecadd"
program = ["vecadd", "tiny"]
expected = ["gto > lrr"]
winners = ["gto"]
', '{"programs":"/home/you/workloads","plugins":[],"jobs":0,"attempts":3,"details":false,"slurm":false,"account":"","partition":"","time":"","sbatch":[],"folder":"","runs_per_task":0,"poll_seconds":5.0}', 'lrr', 0.01, 0.05, '2026-11-27T04:37:23Z');
INSERT INTO study_rows VALUES(1, 0, 'lrr', '["lrr"]');
INSERT INTO study_rows VALUES(1, 1, 'gto', '["gto"]');
INSERT INTO study_rows VALUES(1, 2, 'best', '["lrr","gto"]');
INSERT INTO cases VALUES(1, 1, 0, 'vecadd', NULL, 'vecadd', 'gtx480', '{}', '["gto"]');
INSERT INTO case_runs VALUES(1, 'gto', '2571ff98275f0755495660196ec9c70e');
INSERT INTO case_runs VALUES(1, 'lrr', 'c56968fb9b401bb3c5fbe8a1d23e22b6');
INSERT INTO expectations VALUES(1, 1, 0, 'gto > lrr', NULL, 'holds');
UPDATE cases SET parameters = '{"sm.l1d.ways": "8"}';
