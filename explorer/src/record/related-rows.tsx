// The first rows of a relationship, their number, and a link to all of them.
import { useMemo, useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { FormChoice } from '../forms/form-choice.ts';
import { OpenedForm } from '../forms/opened-form.tsx';
import { describeResult } from '../rows/describe-level.ts';
import { readLabels, withoutLabels } from '../rows/foreign-labels.ts';
import type { JsonObject, JsonValue } from '../rows/json-value.ts';
import { ValueView } from '../result/value-view.tsx';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { type Reading, useReading } from '../store/use-reading.ts';
import { Button } from '../ui/button.tsx';
import { Badge, Name, Spinner } from '../ui/text.tsx';
import { renderPlace } from '../url-state/place.ts';
import { type Related, SHOWN_ROWS } from './related.ts';

export interface RelatedRowsProps {
  readonly store: Store;
  readonly schema: SchemaIndex;
  readonly related: Related;
  /** Changes to read again. */
  readonly version: number;
}

export function RelatedRows({ store, schema, related, version }: RelatedRowsProps): VNode {
  const [choice, setChoice] = useState<FormChoice | undefined>(undefined);
  const reading = useReading(store, related.request, version);
  const found = reading.kind === 'read' ? findRows(related, reading) : undefined;
  const level = useMemo(() => {
    const whole = describeResult(related.model, schema);
    return related.embed === undefined ? whole : whole.columns.get(related.embed)?.level;
  }, [related, schema]);
  const place = { kind: 'request', schema: store.place.value.schema, url: related.allUrl, view: 'table' } as const;
  return (
    <section aria-label={`Related rows: ${nameOf(related)}`}>
      <div class="ui-row ui-gap-4 record-related-head">
        <h3>
          <Name text={nameOf(related)} />
        </h3>
        {found === undefined ? null : <Badge>{found.count}</Badge>}
        {found === undefined || found.rows.length === 0 ? null : <a href={renderPlace(place)}>All</a>}
        {related.given === undefined || !related.target.may.insert ? null : (
          <Button
            size="small"
            variant="quiet"
            icon="plus"
            aria-label={`Add to ${nameOf(related)}`}
            onClick={() => setChoice({ kind: 'insert', relation: related.target, given: related.given ?? new Map() })}
          >
            Add
          </Button>
        )}
        <OpenedForm {...{ store, choice }} onDone={() => setChoice(undefined)} />
      </div>
      {reading.kind === 'loading' ? <Spinner label="Loading related rows" /> : null}
      {reading.kind === 'failed' ? <p class="record-comment">The rows could not be read.</p> : null}
      {found === undefined || found.rows.length === 0 ? null : (
        <ValueView
          value={{ kind: 'array', items: found.rows.map((row) => withoutLabels(related.labeled, row)) }}
          level={level}
          schema={store.place.value.schema}
          labels={readLabels(related.labeled, { count: found.rows.length, at: (index) => found.rows[index] ?? NULL })}
        />
      )}
    </section>
  );
}

const NULL: JsonValue = { kind: 'null' };

/** `tools`, `residents by invited_by`, `skills through resident_skills` */
function nameOf({ relationship: { target, kind, columns, junction, address } }: Related): string {
  if (kind === 'manyToMany') return junction === undefined ? target : `${target} through ${junction}`;
  return kind === 'computed' ? address : `${target} by ${columns.map(([, other]) => other).join(', ')}`;
}

interface Found {
  readonly rows: readonly JsonObject[];
  readonly count: string;
}

function findRows({ embed }: Related, { rows, total }: Extract<Reading, { kind: 'read' }>): Found {
  if (embed === undefined) return { rows, count: countOf(total ?? rows.length, false) };
  const values: ReadonlyMap<string, JsonValue> = new Map(rows[0]?.entries);
  const list = values.get(embed);
  const found = list?.kind === 'array' ? list.items.filter((item) => item.kind === 'object') : [];
  const counted = countIn(values.get('total'));
  const shown = found.slice(0, SHOWN_ROWS);
  return { rows: shown, count: countOf(counted ?? shown.length, counted === undefined && found.length > SHOWN_ROWS) };
}

/** Reads `[{"count": 3}]`. */
function countIn(value: JsonValue | undefined): number | undefined {
  const [first] = value?.kind === 'array' ? value.items : [];
  const count = first?.kind === 'object' ? first.entries[0]?.[1] : undefined;
  return count?.kind === 'number' ? Number(count.text) : undefined;
}

function countOf(count: number, hasMore: boolean): string {
  return `${count.toLocaleString('en')}${hasMore ? '+' : ''} ${count === 1 && !hasMore ? 'row' : 'rows'}`;
}
