// Section for the limit, offset and row count of a level.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { Exchange } from '../client/exchange.ts';
import { headerOf } from '../client/headers.ts';
import { describeRows } from '../rows/pages.ts';
import { goToPage, pageOf, rangeAt, setLimit, setOffset } from '../url-state/edit-ranges.ts';
import { changeParams } from '../url-state/levels.ts';
import { renderUrl } from '../url-state/render-url.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { NumberField } from '../ui/field.tsx';
import type { HistoryStep, Level } from './level.ts';
import { Section } from './section.tsx';
import { useTyped } from './use-typed.ts';

export function RowsSection({ level }: { readonly level: Level }): VNode {
  const { model, path } = level;
  const { limit, offset } = rangeAt(model, path);
  const isTop = path.length === 0;
  const summary = describeRange(limit, offset);
  return (
    <Section title="Rows" summary={summary} isOpenAtFirst={isTop || summary !== undefined}>
      <div class="builder-pair">
        <CountField
          label="Limit"
          count={limit}
          onCount={(count, step) => level.change(setLimit(model, path, count), step)}
        />
        <CountField
          label="Offset"
          count={offset}
          onCount={(count, step) => level.change(setOffset(model, path, count), step)}
        />
      </div>
      <div class="builder-actions">
        {COMMON_LIMITS.map((count) => (
          <Button
            key={count}
            size="small"
            variant="quiet"
            aria-pressed={limit === count}
            onClick={() => level.change(setLimit(model, path, count))}
          >
            {count} rows
          </Button>
        ))}
      </div>
      {isTop ? <Pages level={level} /> : null}
      {isTop ? <RowCount key={renderUrl(model)} level={level} /> : null}
    </Section>
  );
}

const COMMON_LIMITS = [3, 10, 100];

function describeRange(limit: number | undefined, offset: number | undefined): string | undefined {
  const from = offset === undefined ? '' : `from ${offset + 1}`;
  return [limit === undefined ? '' : `at most ${limit}`, from].filter(Boolean).join(', ') || undefined;
}

interface CountFieldProps {
  readonly label: string;
  readonly count: number | undefined;
  readonly onCount: (count: number | undefined, step: HistoryStep) => void;
}

function CountField({ label, count, onCount }: CountFieldProps): VNode {
  const typed = useTyped(count === undefined ? '' : String(count), (text, step) => {
    if (IS_COUNT.test(text)) onCount(text === '' ? undefined : Number(text), step);
  });
  const error = IS_COUNT.test(typed.value) ? {} : { error: 'Enter digits only.' };
  return <NumberField label={label} size="small" inputMode="numeric" placeholder="none" {...error} {...typed} />;
}

const IS_COUNT = /^\d{0,15}$/u;

function Pages({ level }: { readonly level: Level }): VNode | null {
  const { model } = level;
  const page = pageOf(model);
  if (page === undefined) return null;
  const turn = (by: 1 | -1): void => level.change(goToPage(model, { ...page, number: page.number + by }));
  return (
    <div class="builder-pages">
      <IconButton
        icon="chevronLeft"
        size="small"
        label="Previous page"
        disabled={page.number === 1}
        onClick={() => turn(-1)}
      />
      <span>Page {page.number}</span>
      <IconButton
        icon="chevronRight"
        size="small"
        label="Next page"
        disabled={isLastPage(level)}
        onClick={() => turn(1)}
      />
    </div>
  );
}

/** Returns false while the response is not there yet. */
function isLastPage({ model, store }: Level): boolean {
  const exchange = store.exchange.value;
  if (exchange?.kind !== 'answered' || exchange.request.url !== urlOf(store)) return false;
  const range = headerOf(exchange.response, 'content-range');
  const [, first = '', last = ''] = /^(\d+)-(\d+)\//u.exec(range ?? '') ?? [];
  const count = first === '' ? 0 : Number(last) - Number(first) + 1;
  const maxRows = store.known.value?.document.features.maxRows;
  return (
    describeRows({ range: rangeAt(model, []), count, contentRange: range, total: undefined, maxRows }).next ===
    undefined
  );
}

function urlOf({ place }: Level['store']): string | undefined {
  return place.value.kind === 'request' ? place.value.url : undefined;
}

/** Counts on demand only, because counting can be slow. */
function RowCount({ level }: { readonly level: Level }): VNode {
  const [text, setText] = useState<string | undefined>(undefined);
  const count = async (): Promise<void> => {
    setText('Counting …');
    const url = renderUrl(
      changeParams(level.model, { ranges: level.model.params.ranges.filter(({ path }) => path.length > 0) }),
    );
    const headers = [['Prefer', 'count=exact']] as const;
    setText(describeCount(await level.store.send({ method: 'HEAD', url, headers, body: undefined })));
  };
  return (
    <div class="builder-count">
      <Button size="small" onClick={() => void count()}>
        Count rows
      </Button>
      <span role="status">{text}</span>
    </div>
  );
}

function describeCount(exchange: Exchange): string {
  if (exchange.kind !== 'answered') return 'The server did not respond.';
  const { status, headers } = exchange.response;
  const range = headerOf({ headers }, 'content-range');
  const total = range?.slice(range.indexOf('/') + 1);
  if (status >= 300 || total === undefined || !/^\d+$/u.test(total)) return `Counting failed with status ${status}.`;
  return `${Number(total).toLocaleString('en')} ${total === '1' ? 'row matches' : 'rows match'}.`;
}
