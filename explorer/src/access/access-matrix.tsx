// The matrix of roles, relations and operations, and of roles and functions. Each cell opens its details.
import type { VNode } from 'preact';
import type {
  AccessDocument,
  AccessFunction,
  AccessRelation,
  AccessRole,
} from '../../../src/contract/access-document.ts';
import type { OpenedCell } from './cell-drawer.tsx';
import { labelOf, titleOf } from './describe-cell.ts';
import { extentOf, OPERATIONS, rightsOf } from './extent.ts';

export interface AccessMatrixProps {
  readonly document: AccessDocument;
  readonly roles: readonly AccessRole[];
  readonly relations: readonly AccessRelation[];
  readonly functions: readonly AccessFunction[];
  readonly onOpen: (cell: OpenedCell) => void;
}

export function AccessMatrix(props: AccessMatrixProps): VNode {
  const { roles, relations, functions } = props;
  return (
    <div class="access-table" tabIndex={0} role="group" aria-label="Privileges of roles">
      <table>
        <thead>
          <tr>
            <td />
            {roles.map(({ name, isAnonymous }) => (
              <th key={name} scope="colgroup" colSpan={OPERATIONS.length}>
                <bdi>{name}</bdi>
                {isAnonymous ? <span class="access-note"> without a token</span> : null}
              </th>
            ))}
          </tr>
          <tr>
            <td />
            {roles.flatMap(({ name }) =>
              OPERATIONS.map((operation) => (
                <th key={`${name} ${operation}`} scope="col">
                  {operation}
                </th>
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {relations.map((relation) => (
            <RelationRow key={relation.name} {...props} relation={relation} />
          ))}
        </tbody>
        {functions.length === 0 ? null : (
          <tbody>
            {functions.map((routine) => (
              <FunctionRow key={`${routine.name}(${routine.arguments})`} {...props} routine={routine} />
            ))}
          </tbody>
        )}
      </table>
    </div>
  );
}

function RelationRow({ document, roles, relation, onOpen }: AccessMatrixProps & { relation: AccessRelation }): VNode {
  return (
    <tr>
      <th scope="row">
        <bdi>{relation.name}</bdi>
        <span class="access-note">{noteOf(relation)}</span>
      </th>
      {roles.flatMap((role) => {
        const rights = rightsOf(document, relation, role);
        return OPERATIONS.map((operation) => {
          const cell = { schema: document.schema, relation, role, operation };
          const extent = extentOf(cell, rights);
          return (
            <td key={`${role.name} ${operation}`}>
              <button
                type="button"
                class={`access-cell access-cell-${extent.rows}`}
                aria-haspopup="dialog"
                onClick={() => onOpen({ kind: 'relation', cell, rights })}
              >
                <span class="ui-unseen">{titleOf(cell, extent)}</span>
                <span aria-hidden="true">{labelOf(extent)}</span>
              </button>
            </td>
          );
        });
      })}
    </tr>
  );
}

function FunctionRow({ document, roles, routine, onOpen }: AccessMatrixProps & { routine: AccessFunction }): VNode {
  return (
    <tr>
      <th scope="row">
        <bdi>{routine.name}</bdi>
        <bdi class="access-note">
          ({routine.arguments}){routine.isDefiner ? ', runs as its owner' : ''}
        </bdi>
      </th>
      {roles.map((role) => {
        const may = role.hasUsage && routine.roles.includes(role.name);
        return (
          <td key={role.name} colSpan={OPERATIONS.length}>
            <button
              type="button"
              class={`access-cell access-cell-${may ? 'all' : 'none'}`}
              aria-haspopup="dialog"
              onClick={() => onOpen({ kind: 'function', routine, cell: { role, schema: document.schema } })}
            >
              <span class="ui-unseen">
                {role.name}: execute {routine.name}, {may ? 'allowed' : 'not allowed'}
              </span>
              <span aria-hidden="true">{may ? 'execute' : '–'}</span>
            </button>
          </td>
        );
      })}
    </tr>
  );
}

function noteOf({ kind, rowSecurity, policies, isInvoker }: AccessRelation): string {
  if (kind === 'view') return isInvoker ? 'view, reads as its caller' : 'view, reads as its owner';
  if (kind === 'materializedView') return 'materialized view';
  if (kind === 'foreignTable') return 'foreign table';
  if (rowSecurity === 'off') return 'row security off';
  if (policies.length === 0) return 'row security on, no policy';
  return policies.length === 1 ? '1 policy' : `${policies.length} policies`;
}
