// A value too long for one line: rows as a table, an object by keys, a list, or a long text.
import { useState } from 'preact/hooks';
import { Fragment, type VNode } from 'preact';
import { Icon } from '../ui/icon.tsx';
import { type ColumnInfo, type Level, UNKNOWN_LEVEL } from '../rows/describe-level.ts';
import type { JsonObject, JsonValue } from '../rows/json-value.ts';
import { LinkedValue, ValueLabel } from './linked-value.tsx';
import type { Labels } from '../rows/foreign-labels.ts';
import { linkOf, textOf } from '../rows/row-links.ts';
import { describeValue, isLong, isRows } from '../rows/value-text.ts';

export interface ValueViewProps {
  readonly value: JsonValue;
  readonly level: Level | undefined;
  /** The requested schema. */
  readonly schema: string | undefined;
  /** Labels of the rows that foreign keys of these rows reference. */
  readonly labels?: Labels | undefined;
}

const MAX_ITEMS = 200;
const MAX_TEXT = 50_000;

export function ValueView({ value, level = UNKNOWN_LEVEL, schema, labels }: ValueViewProps): VNode {
  if (value.kind === 'string') return <LongText text={value.value} />;
  if (value.kind === 'deep') return <LongText text={value.text} />;
  if (value.kind === 'object') return <Properties {...{ value, level, schema }} />;
  if (value.kind !== 'array') return <LongText text={describeValue(value, undefined).text} />;
  const rows = value.items.filter((item) => item.kind === 'object');
  if (isRows(value)) return <NestedTable {...{ rows, level, schema, labels }} />;
  return (
    <ol class="result-list">
      {value.items.slice(0, MAX_ITEMS).map((item, index) => (
        <li key={index}>
          <NestedValue value={item} info={undefined} schema={schema} href={undefined} />
        </li>
      ))}
      <More count={value.items.length} />
    </ol>
  );
}

function LongText({ text }: { readonly text: string }): VNode {
  return (
    <pre class="result-long-text" dir="auto" tabIndex={0}>
      {text.slice(0, MAX_TEXT)}
      {text.length > MAX_TEXT ? `\n… ${(text.length - MAX_TEXT).toLocaleString('en')} more characters` : ''}
    </pre>
  );
}

interface PropertiesProps extends ValueViewProps {
  readonly value: JsonObject;
  readonly level: Level;
}

function Properties({ value, level, schema }: PropertiesProps): VNode {
  return (
    <dl class="result-properties">
      {value.entries.slice(0, MAX_ITEMS).map(([name, item], index) => (
        <Fragment key={index}>
          <dt>
            <bdi title={name}>{name}</bdi>
          </dt>
          <dd>
            <NestedValue
              value={item}
              info={level.columns.get(name)}
              schema={schema}
              href={linkOf(name, { row: value, level, schema })?.href}
            />
          </dd>
        </Fragment>
      ))}
      <More count={value.entries.length} />
    </dl>
  );
}

interface NestedTableProps extends Pick<ValueViewProps, 'schema' | 'labels'> {
  readonly rows: readonly JsonObject[];
  readonly level: Level;
}

function NestedTable({ rows, level, schema, labels }: NestedTableProps): VNode {
  const shown = rows.slice(0, MAX_ITEMS);
  const all = [...new Set(shown.flatMap((row) => row.entries.map(([name]) => name)))];
  const names = all.slice(0, MAX_ITEMS);
  return (
    <div class="result-nested" tabIndex={0} role="group" aria-label="Embedded rows">
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                <bdi title={name}>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, index) => (
            <NestedRow key={index} {...{ row, names, level, schema, labels }} />
          ))}
        </tbody>
      </table>
      <More count={rows.length} />
      {all.length > names.length ? <p class="result-more">and {all.length - names.length} more columns</p> : null}
    </div>
  );
}

interface NestedRowProps extends Omit<NestedTableProps, 'rows'> {
  readonly row: JsonObject;
  readonly names: readonly string[];
}

/** The opened value, below the row at full width. */
function NestedRow({ row, names, level, schema, labels }: NestedRowProps): VNode {
  const [open, setOpen] = useState<string | undefined>(undefined);
  const values = new Map(row.entries);
  const opened = open === undefined ? undefined : values.get(open);
  return (
    <>
      <tr>
        {names.map((name) => {
          const value = values.get(name);
          const toggle = { isOpen: open === name, onToggle: () => setOpen(open === name ? undefined : name) };
          const info = level.columns.get(name);
          return (
            <td key={name}>
              {value === undefined ? null : (
                <>
                  <FoldedValue {...{ value, info, ...toggle }} href={linkOf(name, { row, level, schema })?.href} />{' '}
                  <ValueLabel text={labels?.get(name)?.get(textOf(value) ?? '')} />
                </>
              )}
            </td>
          );
        })}
      </tr>
      {open === undefined || opened === undefined ? null : (
        <tr>
          <td class="result-nested-open" colSpan={names.length}>
            <bdi class="result-nested-name">{open}</bdi>
            <ValueView value={opened} level={level.columns.get(open)?.level} schema={schema} />
          </td>
        </tr>
      )}
    </>
  );
}

interface NestedValueProps {
  readonly value: JsonValue;
  readonly info: ColumnInfo | undefined;
  readonly schema: string | undefined;
  readonly href: string | undefined;
}

/** Expands in place. */
function NestedValue({ value, info, schema, href }: NestedValueProps): VNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <FoldedValue {...{ value, info, href, isOpen }} onToggle={() => setOpen(!isOpen)} />
      {isOpen ? <ValueView value={value} level={info?.level} schema={schema} /> : null}
    </>
  );
}

interface FoldedValueProps extends Omit<NestedValueProps, 'schema'> {
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function FoldedValue({ value, info, href, isOpen, onToggle }: FoldedValueProps): VNode {
  const described = describeValue(value, info?.type, info?.level !== undefined);
  if (!isLong(value)) return <LinkedValue described={described} href={href} />;
  return (
    <button type="button" class="ui-row ui-gap-2 result-fold" aria-expanded={isOpen} onClick={onToggle}>
      <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={12} />
      <LinkedValue described={described} href={undefined} />
    </button>
  );
}

function More({ count }: { readonly count: number }): VNode | null {
  return count > MAX_ITEMS ? <p class="result-more">and {(count - MAX_ITEMS).toLocaleString('en')} more</p> : null;
}
