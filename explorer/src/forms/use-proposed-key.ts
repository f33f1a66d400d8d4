// Hook that reads the number to propose for the key of a new row.
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import type { SchemaIndex } from '../schema/schema-index.ts';
import type { Store } from '../store/store.ts';
import { type FieldValue, isSameValue, textValue } from './field-value.ts';
import { findNumberedKey, highestKeyRequest, readProposal } from './proposed-key.ts';

export interface ProposedKeyOptions {
  readonly store: Store;
  readonly schema: SchemaIndex;
  readonly relation: DescribedRelation;
  readonly isNew: boolean;
  /** Is called once the number is known. */
  readonly onPropose: (column: string, value: FieldValue) => void;
}

/** Returns a note for the field that holds the proposed value. */
export function useProposedKey(options: ProposedKeyOptions): (column: string, value: FieldValue) => string | undefined {
  const { store, schema, relation, isNew, onPropose } = options;
  const column = useMemo(() => (isNew ? findNumberedKey(schema, relation) : undefined), [schema, relation, isNew]);
  const [proposed, setProposed] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (column === undefined) return undefined;
    const reading = new AbortController();
    void store.send(highestKeyRequest(relation, column), reading.signal).then((exchange) => {
      const number = reading.signal.aborted ? undefined : readProposal(column, exchange);
      if (number === undefined) return;
      setProposed(number);
      onPropose(column.name, textValue(number));
    });
    return () => reading.abort();
  }, [store, relation, column]);
  useLayoutEffect(() => {
    // What is typed just now replaces the proposal.
    const focused = document.activeElement;
    if (focused instanceof HTMLInputElement && focused.value === proposed) focused.select();
  }, [proposed]);
  return (name, value) =>
    name === column?.name && proposed !== undefined && isSameValue(value, textValue(proposed))
      ? 'Proposed: the next number after the rows that you can read.'
      : undefined;
}
