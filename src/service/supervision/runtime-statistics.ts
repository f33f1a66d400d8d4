// Observes the garbage collector for the metrics of `operating.md` §9.3. Optional, since it adds a cost to every
// collection.
import { constants, PerformanceObserver } from 'node:perf_hooks';
import type { RuntimeStatistics } from '../../observe/runtime-metrics.ts';

export class RuntimeWatch {
  #collections = 0;
  #majorCollections = 0;
  /** Seconds. */
  #collectionTime = 0;
  /** Seconds. */
  #mutatorTime = 0;
  #allocatedBytes = 0;
  #lastHeapBytes = 0;
  #maxLiveBytes = 0;

  constructor() {
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        this.#collections += 1;
        this.#collectionTime += entry.duration / 1000;
        if (readKind(entry) === constants.NODE_PERFORMANCE_GC_MAJOR) this.#majorCollections += 1;
      }
      this.#sample();
    });
    observer.observe({ entryTypes: ['gc'] });
  }

  get statistics(): RuntimeStatistics {
    this.#sample();
    const { user, system } = process.cpuUsage();
    // Collections also run on separate threads, so their time can exceed the difference for a while.
    this.#mutatorTime = Math.max(this.#mutatorTime, (user + system) / 1e6 - this.#collectionTime);
    return {
      collections: this.#collections,
      majorCollections: this.#majorCollections,
      allocatedBytes: this.#allocatedBytes,
      maxLiveBytes: this.#maxLiveBytes,
      maxMemoryBytes: process.resourceUsage().maxRSS * 1024,
      mutatorTime: this.#mutatorTime,
      collectionTime: this.#collectionTime,
      elapsedTime: process.uptime(),
    };
  }

  /** Does not include memory that is allocated and collected between two samples. */
  #sample(): void {
    const { heapUsed } = process.memoryUsage();
    this.#allocatedBytes += Math.max(0, heapUsed - this.#lastHeapBytes);
    this.#lastHeapBytes = heapUsed;
    this.#maxLiveBytes = Math.max(this.#maxLiveBytes, heapUsed);
  }
}

/** Reads `detail`, which exists only on entries of the garbage collector and so not in the general type. */
function readKind(entry: object): unknown {
  const detail: unknown = Reflect.get(entry, 'detail');
  return typeof detail === 'object' && detail !== null ? Reflect.get(detail, 'kind') : undefined;
}
