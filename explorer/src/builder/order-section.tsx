// Section for the order terms of a level.
import type { VNode } from 'preact';
import type { Field, OrderTerm } from '../../../src/request/query/query-params.ts';
import { columnField } from '../url-state/edit-columns.ts';
import { isKeyOrder, orderAt, removeOrder, setOrder } from '../url-state/edit-order.ts';
import { nameOfColumn, nameOfEmbed } from '../url-state/levels.ts';
import { renderAggregateTerm } from '../../../src/request/query/render-query.ts';
import { IconButton } from '../ui/button.tsx';
import { SelectField, type SelectOption } from '../ui/field.tsx';
import { columnOfValue, FieldChoice, PathInput, valueOfColumn } from './field-choice.tsx';
import { embedsOf, type HistoryStep, itemsOf, type Level, levelOfEmbed, relationshipOf } from './level.ts';
import { RemoveButton } from './remove-button.tsx';
import { Section } from './section.tsx';

export function OrderSection({ level }: { readonly level: Level }): VNode {
  const { model, path } = level;
  const terms = orderAt(model, path);
  const isByKey = isKeyOrder(terms, level.source.relation?.key);
  const put: TermProps['put'] = (next, step) => level.change(setOrder(model, path, next), step);
  return (
    <Section
      title="Order"
      summary={terms.length === 0 ? undefined : terms.map(nameOf).join(', ')}
      isOpenAtFirst={terms.length > 0 && !isByKey}
    >
      <ol class="builder-stack">
        {terms.map((term, index) => (
          <li key={index}>
            <Term {...{ level, terms, term, index, put }} />
          </li>
        ))}
      </ol>
      <FieldChoice
        level={level}
        label="Order by another column"
        prompt={terms.length === 0 || isByKey ? 'Order by a column' : 'Then by another column'}
        chosen={undefined}
        others={relatedColumns(level)}
        onChoose={(value) =>
          put([...(isByKey ? [] : terms), { ...targetOf(value), direction: 'asc', nulls: undefined }])
        }
      />
    </Section>
  );
}

interface TermProps {
  readonly level: Level;
  readonly terms: readonly OrderTerm[];
  readonly term: OrderTerm;
  readonly index: number;
  readonly put: (terms: readonly OrderTerm[], step?: HistoryStep) => void;
}

function Term(props: TermProps): VNode {
  const { level, terms, term, index, put } = props;
  const change = (changed: Partial<OrderTerm>, step?: HistoryStep): void =>
    put(terms.with(index, { ...term, ...changed }), step);
  return (
    <fieldset class="builder-card">
      <legend class="ui-unseen">{`Order by ${nameOf(term)}`}</legend>
      <div class="ui-row ui-gap-2 builder-card-head">
        {term.aggregate === undefined ? (
          <FieldChoice
            level={level}
            label="Column"
            chosen={valueOfTerm(term)}
            others={withTerm(relatedColumns(level), term)}
            onChoose={(value) => change(targetOf(value))}
          />
        ) : (
          <code class="builder-code">{nameOf(term)}</code>
        )}
        <TermButtons {...props} />
      </div>
      {term.relation === undefined && term.aggregate === undefined ? (
        <PathInput source={level.source} field={term.field} onField={(field, step) => change({ field }, step)} />
      ) : null}
      <Direction term={term} onChange={change} />
    </fieldset>
  );
}

function TermButtons({ level, terms, term, index, put }: TermProps): VNode {
  const { model, path } = level;
  const column = nameOf(term);
  return (
    <>
      <IconButton
        icon="arrowUp"
        size="small"
        label={`Move ${column} up`}
        disabled={index === 0}
        onClick={() => put(swap(terms, index - 1))}
      />
      <IconButton
        icon="arrowDown"
        size="small"
        label={`Move ${column} down`}
        disabled={index === terms.length - 1}
        onClick={() => put(swap(terms, index))}
      />
      <RemoveButton
        label={`Remove order by ${column}`}
        onRemove={() => level.change(removeOrder(model, { path, index }))}
      />
    </>
  );
}

const DIRECTIONS = [
  { value: 'asc', label: 'Ascending' },
  { value: 'desc', label: 'Descending' },
] as const;

const NULLS = [
  { value: '', label: 'Default nulls' },
  { value: 'nullsfirst', label: 'Nulls first' },
  { value: 'nullslast', label: 'Nulls last' },
] as const;

interface DirectionProps {
  readonly term: OrderTerm;
  readonly onChange: (changed: Partial<OrderTerm>) => void;
}

function Direction({ term, onChange }: DirectionProps): VNode {
  return (
    <div class="builder-pair">
      <SelectField
        label="Direction"
        isLabelHidden
        size="small"
        value={term.direction ?? 'asc'}
        options={DIRECTIONS}
        onValue={(value) => onChange({ direction: value === 'desc' ? 'desc' : 'asc' })}
      />
      <SelectField
        label="Position of nulls"
        isLabelHidden
        size="small"
        value={term.nulls ?? ''}
        options={NULLS}
        onValue={(value) => onChange({ nulls: value === 'nullsfirst' || value === 'nullslast' ? value : undefined })}
      />
    </div>
  );
}

function nameOf({ field, aggregate }: OrderTerm): string {
  return aggregate === undefined ? field.column : renderAggregateTerm(aggregate);
}

function swap(terms: readonly OrderTerm[], index: number): readonly OrderTerm[] {
  const [first, second] = terms.slice(index, index + 2);
  return first === undefined || second === undefined ? terms : terms.toSpliced(index, 2, second, first);
}

/** Lists columns of to-one embeds, by which rows can be ordered (`reading.md` §12.9). */
function relatedColumns(level: Level): readonly SelectOption[] {
  return embedsOf(level)
    .filter((embed) => relationshipOf(level.source, embed)?.isToOne === true)
    .flatMap((embed) => {
      const relation = nameOfEmbed(embed);
      return namesOfColumns(levelOfEmbed(level, embed)).map((name) => optionOf({ relation, field: columnField(name) }));
    });
}

/** Returns the names of columns as the embed selects them; all columns if it selects none. */
function namesOfColumns(embed: Level): readonly string[] {
  const items = itemsOf(embed);
  const all = embed.source.columns.map(({ name }) => name);
  if (items.length === 0) return all;
  const names = items.flatMap((item) => {
    if (item.kind === 'all') return all;
    return item.kind === 'column' && item.aggregate === undefined ? [nameOfColumn(item)] : [];
  });
  return [...new Set(names)];
}

interface OrderTarget {
  readonly relation: string | undefined;
  readonly field: Field;
}

function optionOf({ relation = '', field }: OrderTarget): SelectOption {
  return { value: JSON.stringify([relation, field.column]), label: `${relation}: ${field.column}` };
}

function valueOfTerm(term: OrderTerm): string {
  return term.relation === undefined ? valueOfColumn(term.field.column) : optionOf(term).value;
}

/** Includes the term of the URL, even if the server will reject it. */
function withTerm(options: readonly SelectOption[], term: OrderTerm): readonly SelectOption[] {
  const isOffered = term.relation === undefined || options.some(({ value }) => value === valueOfTerm(term));
  return isOffered ? options : [...options, optionOf(term)];
}

function targetOf(value: string): OrderTarget {
  const column = columnOfValue(value);
  if (column !== undefined) return { relation: undefined, field: columnField(column) };
  const pair: unknown = JSON.parse(value);
  const [relation, related] = Array.isArray(pair) ? pair.map(String) : [];
  return { relation, field: columnField(related ?? '') };
}
