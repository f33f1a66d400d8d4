// The details of a cell: what the role may do and why, its policies, and the SQL that would change it.
import type { VNode } from 'preact';
import type { AccessFunction, AccessRights } from '../../../src/contract/access-document.ts';
import { Dialog } from '../ui/dialog.tsx';
import { PageLink } from '../ui/page.tsx';
import { Code } from '../ui/text.tsx';
import { describeCell, describePolicy } from './describe-cell.ts';
import { type Cell, extentOf } from './extent.ts';
import { renderRowAddress } from '../url-state/row-address.ts';
import { SqlBlock } from './sql-block.tsx';
import { type Suggestion, suggestForFunction, suggestStatements } from './statements.ts';

export type OpenedCell =
  | { readonly kind: 'relation'; readonly cell: Cell; readonly rights: AccessRights }
  | { readonly kind: 'function'; readonly routine: AccessFunction; readonly cell: Pick<Cell, 'role' | 'schema'> };

interface CellDrawerProps {
  readonly opened: OpenedCell;
  /** Schema of the place; undefined for the default one. */
  readonly placeSchema: string | undefined;
  readonly onClose: () => void;
}

export function CellDrawer({ opened, placeSchema, onClose }: CellDrawerProps): VNode {
  const title =
    opened.kind === 'relation'
      ? `${opened.cell.role.name}: ${opened.cell.operation} on ${opened.cell.relation.name}`
      : `${opened.cell.role.name}: execute ${opened.routine.name}`;
  return (
    <Dialog title={<bdi>{title}</bdi>} isOpen placement="right" onClose={onClose}>
      <div class="access-details">
        {opened.kind === 'relation' ? (
          <RelationDetails {...opened} placeSchema={placeSchema} />
        ) : (
          <FunctionDetails {...opened} />
        )}
      </div>
    </Dialog>
  );
}

type RelationDetailsProps = Extract<OpenedCell, { kind: 'relation' }> & Pick<CellDrawerProps, 'placeSchema'>;

function RelationDetails({ cell, rights, placeSchema }: RelationDetailsProps): VNode {
  const extent = extentOf(cell, rights);
  const url = renderRowAddress({ relation: cell.relation.name, key: {}, role: cell.role.name });
  return (
    <>
      {describeCell(cell, extent, rights).map((sentence) => (
        <p key={sentence} dir="auto">
          {sentence}
        </p>
      ))}
      {extent.policies.length === 0 ? null : (
        <ul class="access-policies" aria-label="Policies">
          {extent.policies.map((policy) => {
            const { name, scope, conditions } = describePolicy(policy, cell.operation);
            return (
              <li key={name}>
                <strong>
                  <bdi>{name}</bdi>
                </strong>
                <p dir="auto">{scope}</p>
                {conditions.map(({ text, expression }) => (
                  <p key={text}>
                    {text} {expression === undefined ? null : <Code>{expression}</Code>}
                  </p>
                ))}
              </li>
            );
          })}
        </ul>
      )}
      {cell.operation === 'select' ? (
        <p>
          <PageLink icon="search" label="Explain a row" place={{ kind: 'explain', schema: placeSchema, url }} />
        </p>
      ) : null}
      <Suggestions suggestions={suggestStatements(cell, extent, rights)} />
    </>
  );
}

function FunctionDetails({ routine, cell }: Extract<OpenedCell, { kind: 'function' }>): VNode {
  const { role, schema } = cell;
  const runner = routine.isDefiner ? `its owner, ${routine.owner}` : role.name;
  const may = role.hasUsage && routine.roles.includes(role.name);
  const reason = role.hasUsage ? 'the privilege EXECUTE' : `USAGE on the schema ${schema}`;
  return (
    <>
      <p dir="auto">
        {may
          ? `${role.name} may call it. It runs with the privileges of ${runner}.`
          : `${role.name} may not call it: it lacks ${reason}.`}
      </p>
      <Suggestions suggestions={suggestForFunction(routine, cell)} />
    </>
  );
}

function Suggestions({ suggestions }: { readonly suggestions: readonly Suggestion[] }): VNode {
  return (
    <section class="access-suggestions" aria-label="To change it">
      <h3>To change it</h3>
      <p class="access-note">Nothing here is run. Copy a statement, check it, and run it yourself or in a migration.</p>
      {suggestions.map((suggestion) => (
        <SqlBlock key={suggestion.title} {...suggestion} />
      ))}
    </section>
  );
}
