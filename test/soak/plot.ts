// Plots the samples of a soak: one panel per figure over time, with marks for events.

export interface Series {
  readonly name: string;
  readonly color: string;
  /** Undefined where nothing could be measured. */
  readonly values: readonly (number | undefined)[];
}

export interface Panel {
  readonly title: string;
  readonly series: readonly Series[];
}

export interface Plot {
  readonly title: string;
  /** Times in minutes, one per value. */
  readonly times: readonly number[];
  readonly panels: readonly Panel[];
  readonly marks: readonly { readonly time: number; readonly name: string }[];
}

const [WIDTH, PANEL_HEIGHT, LEFT, TOP, GAP] = [1000, 170, 70, 40, 40];

export function renderPlot(plot: Plot): string {
  const height = TOP + plot.panels.length * (PANEL_HEIGHT + GAP);
  const panels = plot.panels.map((panel, index) => renderPanel(panel, plot, TOP + index * (PANEL_HEIGHT + GAP)));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<rect width="${WIDTH}" height="${height}" fill="white"/>
<text x="${LEFT}" y="18" font-size="15">${plot.title}</text>
${panels.join('\n')}
</svg>
`;
}

function renderPanel({ title, series }: Panel, { times, marks }: Plot, top: number): string {
  const [right, bottom] = [WIDTH - 20, top + PANEL_HEIGHT];
  const lastTime = Math.max(...times, 0.01);
  const highest = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)), 1) * 1.05;
  const x = (time: number): string => (LEFT + (time / lastTime) * (right - LEFT)).toFixed(1);
  const y = (value: number): string => (bottom - (value / highest) * PANEL_HEIGHT).toFixed(1);
  const lines = series.map(({ values, color }) => {
    const points = values.flatMap((value, index) =>
      value === undefined ? [] : [`${x(times[index] ?? 0)},${y(value)}`],
    );
    return `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" stroke-width="1.5"/>`;
  });
  const legend = series.map(
    ({ name, color }, index) => `<text x="${LEFT + 250 + index * 180}" y="${top - 6}" fill="${color}">${name}</text>`,
  );
  const happened = marks.map(
    ({ time, name }) =>
      `<line x1="${x(time)}" x2="${x(time)}" y1="${top}" y2="${bottom}" stroke="#ccc"><title>${name}</title></line>`,
  );
  const scale = [0, highest / 2, highest].map(
    (value) =>
      `<text x="${LEFT - 6}" y="${y(value)}" text-anchor="end">${value < 10 ? value.toFixed(1) : value.toFixed(0)}</text>`,
  );
  return `<text x="${LEFT}" y="${top - 6}" font-weight="bold">${title}</text>${legend.join('')}
<rect x="${LEFT}" y="${top}" width="${right - LEFT}" height="${PANEL_HEIGHT}" fill="none" stroke="#888"/>
${[...happened, ...lines, ...scale].join('\n')}
<text x="${right}" y="${bottom + 14}" text-anchor="end">${lastTime.toFixed(1)} min</text>`;
}
