// What `rowhouse dev` shows first where the role sees less than its schema has: all tables, as their owner knows them, and
// the roles that may read each of them.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { AccessDocument, AccessRelation, AccessRole } from '../../../src/contract/access-document.ts';
import type { SchemaDocument } from '../../../src/contract/schema-document.ts';
import type { Store } from '../store/store.ts';
import { listRoles, useAccess } from '../store/use-access.ts';
import { viewAsRole } from '../tokens/view-as-role.ts';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toast.tsx';
import { renderPlace } from '../url-state/place.ts';
import { encodeSegment } from '../url-state/readable-text.ts';
import { extentOf, rightsOf } from './extent.ts';
import './all-tables.css';

export interface AllTablesProps {
  readonly store: Store;
  readonly document: Pick<SchemaDocument, 'role' | 'schema' | 'relations'>;
}

/** More tables are on the page of access. */
const MAX_TABLES = 50;
const MAX_ROLES = 3;
const FIRST_ROWS = 50;

export function AllTables({ store, document }: AllTablesProps): VNode | null {
  const access = useAccess(store, 0);
  const [isShown, setShown] = useState(true);
  if (access.kind !== 'ready' || !isShown) return null;
  const { relations } = access.value;
  const own = access.value.roles.find(({ name }) => name === document.role);
  const described = new Set(document.relations.map(({ name }) => name));
  const readable = relations.filter(
    (relation) => described.has(relation.name) && (own === undefined || canRead(access.value, relation, own)),
  );
  const visible = new Set(readable.map(({ name }) => name));
  const hidden = relations.filter(({ name }) => !visible.has(name));
  if (hidden.length === 0) return null;
  const { schema } = store.place.value;
  return (
    <section class="ui-stack ui-gap-3 all-tables" aria-labelledby="all-tables">
      <h2 id="all-tables">
        The schema <bdi>{document.schema}</bdi> has {countTables(relations.length)}
      </h2>
      <p>
        <bdi>{document.role}</bdi> sees {readable.length} of them. Open any as a role that may read it:
      </p>
      <ul>
        {[...hidden, ...readable].slice(0, MAX_TABLES).map((relation) => (
          <TableEntry
            key={relation.name}
            {...{ store, relation }}
            access={access.value}
            isVisible={visible.has(relation.name)}
          />
        ))}
      </ul>
      <p>
        <a href={renderPlace({ kind: 'access', schema, focus: undefined })}>
          {relations.length > MAX_TABLES
            ? `All ${relations.length} and what each role may do`
            : 'What each role may do'}
        </a>{' '}
        <Button size="small" variant="quiet" onClick={() => setShown(false)}>
          Hide this list
        </Button>
      </p>
    </section>
  );
}

/** False for a view whose reader may not read one of its tables: each request fails, whatever the privileges on the view. */
function canRead(access: AccessDocument, relation: AccessRelation, role: AccessRole): boolean {
  const cell = { schema: access.schema, relation, role, operation: 'select' } as const;
  const { rows } = extentOf(cell, rightsOf(access, relation, role));
  return rows !== 'none' && rows !== 'fails';
}

function countTables(count: number): string {
  return count === 1 ? '1 table or view' : `${count.toLocaleString('en')} tables and views`;
}

interface TableEntryProps {
  readonly store: Store;
  readonly access: AccessDocument;
  readonly relation: AccessRelation;
  readonly isVisible: boolean;
}

function TableEntry({ store, access, relation, isVisible }: TableEntryProps): VNode {
  const { schema } = store.place.value;
  const place = {
    kind: 'request',
    schema,
    url: `/${encodeSegment(relation.name)}?limit=${FIRST_ROWS}`,
    view: 'table',
  } as const;
  const readers = listRoles(access).filter((role) => canRead(access, relation, role));
  const open = async (role: string): Promise<void> => {
    const key = store.signingKey.peek();
    const refusal = key === undefined ? undefined : await viewAsRole(store, { role, claims: {}, key });
    if (refusal === undefined) store.go(place);
    else showToast(refusal.message ?? 'The server rejects the token.', 'danger');
  };
  return (
    <li>
      {isVisible ? (
        <a href={renderPlace(place)}>
          <bdi>{relation.name}</bdi>
        </a>
      ) : (
        <>
          <bdi>{relation.name}</bdi>
          {readers.slice(0, MAX_ROLES).map(({ name }) => (
            <Button key={name} size="small" onClick={() => void open(name)}>
              as <bdi>{name}</bdi>
            </Button>
          ))}
          {readers.length === 0 ? (
            <a href={renderPlace({ kind: 'access', schema, focus: relation.name })}>No role of the API may read it</a>
          ) : null}
        </>
      )}
    </li>
  );
}
