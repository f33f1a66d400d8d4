// Renders metrics in the Prometheus text format 0.0.4 (`operating.md` §9).

export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
  /** Written without a fraction. */
  readonly isInteger?: true;
}

export interface Sample {
  /** Suffix of the name, for the parts of a histogram. */
  readonly suffix?: '_bucket' | '_sum' | '_count';
  /** `status="SUCCESS"` */
  readonly label?: string;
  readonly value: number;
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
