// Renders metrics in the Prometheus text format 0.0.4 (`operating.md` §9).

export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
  /** Written without a fraction. */
  readonly isInteger?: true;
  /** Which of the values of several processes counts; by default, their sum. */
  readonly across?: 'max' | 'min';
}

export interface Sample {
  /** Suffix of the name, for the parts of a histogram. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
  /** `status="SUCCESS"` */
  readonly label?: string;
  readonly value: number;
}

export function gauge(name: string, help: string, value: number): Metric {
  return { type: 'gauge', name, help, samples: [{ value }] };
}

export function counter(name: string, help: string, value: number): Metric {
  return { type: 'counter', name, help, samples: [{ value }] };
}

/** Combines the metrics of two processes. */
export function addMetrics(a: readonly Metric[], b: readonly Metric[]): readonly Metric[] {
  const sums = new Map(a.map((metric) => [metric.name, metric]));
  for (const metric of b) {
    const other = sums.get(metric.name);
    sums.set(metric.name, other === undefined ? metric : { ...other, samples: addSamples(other, metric) });
  }
  return [...sums.values()];
}

function addSamples({ samples, across }: Metric, more: Metric): readonly Sample[] {
  const sums = new Map(samples.map((sample) => [sample.label, sample]));
  for (const sample of more.samples) {
    const { value } = sums.get(sample.label) ?? {};
    const sum = value === undefined ? sample.value : combine(value, sample.value, across);
    sums.set(sample.label, { ...sample, value: sum });
  }
  return [...sums.values()];
}

function combine(a: number, b: number, across: Metric['across']): number {
  return across === undefined ? a + b : Math[across](a, b);
}

/** Keeps the counters of a process that has ended, whose gauges no longer count. */
export function keepCounted(metrics: readonly Metric[]): readonly Metric[] {
  return metrics.map((metric) => {
    if (metric.type !== 'gauge') return metric;
    return { ...metric, samples: metric.across === 'min' ? [] : metric.samples.map((each) => ({ ...each, value: 0 })) };
  });
}

export function renderMetrics(metrics: readonly Metric[]): string {
  return metrics.map(renderMetric).join('');
}

function renderMetric({ name, type, help, samples, isInteger }: Metric): string {
  const lines = samples.map(({ suffix = '', label, value }) => {
    const series = label === undefined ? name + suffix : `${name}${suffix}{${label}}`;
    return `${series} ${isInteger ? String(value) : renderFloat(value)}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

/** Renders at least one decimal. */
function renderFloat(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : String(value);
}
