// The values of a column with the number of rows of each, and a range for numbers and times. A click keeps
// one of them, the check boxes several.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import { findLookUp } from '../builder/look-up.ts';
import { useRowNames } from '../builder/use-look-up.ts';
import type { JsonValue } from '../rows/json-value.ts';
import { textOf } from '../rows/row-links.ts';
import type { TableColumn, TableModel } from '../rows/table-model.ts';
import { describeValue } from '../rows/value-text.ts';
import type { Store } from '../store/store.ts';
import { useReading } from '../store/use-reading.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Spinner } from '../ui/text.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import type { QueryModel } from '../url-state/query-model.ts';
import { renderUrl } from '../url-state/render-url.ts';
import {
  type ChosenValues,
  chosenValues,
  equals,
  isMeasured,
  keepAny,
  keepOnly,
  withoutValues,
} from './edit-filters.ts';
import { countPage, countRequest, type Facet, MAX_VALUES, readCounts } from './facet-counts.ts';
import type { FacetPanelProps, FacetPartProps } from './facet-props.ts';
import { RangeForm } from './range-form.tsx';
import './facet-panel.css';

/** More keys would not fit into a URL. */
const MAX_NAMES = 200;

export function FacetPanel(props: FacetPanelProps): VNode | null {
  const { store, place, column, onClose } = props;
  const field = column.info?.field;
  if (field === undefined) return null;
  const apply = (model: QueryModel): void => {
    onClose();
    store.go({ ...place, url: renderUrl(model) });
  };
  return (
    <Dialog title={<bdi>{`Values of ${column.name}`}</bdi>} placement="right" width="narrow" isOpen onClose={onClose}>
      <div class="ui-stack facet">
        {isMeasured(column.info?.type) ? <RangeForm {...props} {...{ field, apply }} /> : null}
        <Values {...props} {...{ field, apply }} />
      </div>
    </Dialog>
  );
}

function Values({ store, model, table, column, field, apply }: FacetPartProps): VNode {
  const isCounted = store.known.value?.document.features.aggregates === true;
  const reading = useReading(store, isCounted ? countRequest(model, field) : undefined);
  const counted = reading.kind === 'read' ? readCounts(reading.rows) : undefined;
  const isWaiting = isCounted && reading.kind === 'loading';
  const facets = isWaiting ? [] : (counted ?? countPage(table, column.name));
  const [chosen, setChosen] = useState(() => chosenValues(model, field));
  const nameOf = useFacetNames(store, { table, column, facets });
  if (isWaiting) return <Spinner label="Counting values" />;
  const select = ({ value }: Facet): void => {
    const operation = equals(value);
    if (operation !== undefined) apply(keepOnly(model, field, operation));
  };
  const size = chosen.texts.size + (chosen.hasNull ? 1 : 0);
  return (
    <section aria-label="Values">
      <p class="facet-note">{describeSource(counted, table, withoutValues(model, field))}</p>
      <ol class="facet-list">
        {facets.map((facet, index) => (
          <li key={index}>
            <Checkbox
              label={`Include ${[describeValue(facet.value, column.info?.type).text, nameOf(facet) ?? []].flat().join(' · ')}`}
              isLabelHidden
              isDisabled={equals(facet.value) === undefined}
              isChecked={isChosen(chosen, facet.value)}
              onChange={() => setChosen(toggle(chosen, facet.value))}
            />
            <FacetButton
              {...{ facet, column }}
              name={nameOf(facet)}
              most={facets[0]?.count ?? 1}
              onSelect={() => select(facet)}
            />
          </li>
        ))}
      </ol>
      <div class="facet-apply">
        <Button variant="primary" onClick={() => apply(keepAny(model, field, chosen))}>
          {size === 0 ? 'Show all values' : `Show ${size.toLocaleString('en')} ${size === 1 ? 'value' : 'values'}`}
        </Button>
      </div>
    </section>
  );
}

interface NamedFacets extends Pick<FacetPartProps, 'table' | 'column'> {
  readonly facets: readonly Facet[];
}

/** The names of the referenced rows, if the column is a foreign key. */
function useFacetNames(store: Store, { table, column, facets }: NamedFacets): (facet: Facet) => string | undefined {
  const schema = store.known.value;
  const { relation, columns } = table.level;
  const source = columns.get(column.name)?.source;
  const lookUp = schema && relation && source ? findLookUp(schema, relation, source.name) : undefined;
  const keys = facets.slice(0, MAX_NAMES).flatMap(({ value }) => textOf(value) ?? []);
  const names = useRowNames(store, lookUp, keys);
  return ({ value }) => names.get(textOf(value) ?? '');
}

function isChosen({ texts, hasNull }: ChosenValues, value: JsonValue): boolean {
  return value.kind === 'null' ? hasNull : texts.has(textOf(value) ?? '');
}

function toggle({ texts, hasNull }: ChosenValues, value: JsonValue): ChosenValues {
  if (value.kind === 'null') return { texts, hasNull: !hasNull };
  const text = textOf(value) ?? '';
  const others = [...texts].filter((one) => one !== text);
  return { texts: new Set(others.length < texts.size ? others : [...others, text]), hasNull };
}

function describeSource(counted: readonly Facet[] | undefined, table: TableModel, { params }: QueryModel): string {
  if (counted === undefined) return `Counts of the ${table.count.toLocaleString('en')} rows on this page.`;
  if (counted.length >= MAX_VALUES) return `The first ${MAX_VALUES.toLocaleString('en')} values.`;
  const isFiltered = params.filters.length + params.logic.length > 0;
  return isFiltered ? 'Counts of the rows that the other filters leave.' : 'Counts of all rows.';
}

interface FacetButtonProps {
  readonly facet: Facet;
  readonly column: TableColumn;
  /** Of the referenced row. */
  readonly name: string | undefined;
  /** The largest count. */
  readonly most: number;
  readonly onSelect: () => void;
}

function FacetButton({ facet: { value, count }, column, name, most, onSelect }: FacetButtonProps): VNode {
  const { text, look } = describeValue(value, column.info?.type);
  return (
    <button type="button" class="ui-row ui-gap-4 facet-value" disabled={equals(value) === undefined} onClick={onSelect}>
      <span class="facet-bar" style={{ width: `${(count / most) * 100}%` }} />
      <bdi class={`result-value result-value-${look}`}>{text}</bdi>
      {name === undefined ? null : <bdi class="result-label">{name}</bdi>}
      <span class="facet-count">{count.toLocaleString('en')}</span>
    </button>
  );
}
