// The reference of a function: one part for each overload.
import type { VNode } from 'preact';
import type { DescribedFunction } from '../../../src/contract/schema-document.ts';
import type { Store } from '../store/store.ts';
import { functionExamples } from './example-request.ts';
import { Examples } from './examples.tsx';
import { TypeName } from './type-name.tsx';

export interface FunctionReferenceProps {
  readonly store: Store;
  readonly function: DescribedFunction;
}

export function FunctionReference({ store, function: one }: FunctionReferenceProps): VNode {
  return (
    <>
      {one.comment === undefined ? null : (
        <p class="reference-comment">
          <bdi>{one.comment}</bdi>
        </p>
      )}
      <p>
        {one.isReadOnly ? 'Reads only: GET and POST call it.' : 'May write: only POST calls it.'} {describeResult(one)}
      </p>
      {one.parameters.length === 0 ? <p>It has no parameters.</p> : <Parameters one={one} />}
      <Examples store={store} examples={functionExamples(one)} />
    </>
  );
}

function describeResult({ result: { kind, isSet, type, relation, columns } }: DescribedFunction): string {
  if (kind === 'void') return 'It returns nothing.';
  const rows = relation ?? columns?.map(({ name, type: { name: typeName } }) => `${name} ${typeName}`).join(', ');
  if (rows !== undefined) return isSet ? `It returns rows of ${rows}.` : `It returns one row of ${rows}.`;
  return isSet ? `It returns values of type ${type?.name ?? ''}.` : `It returns ${type?.name ?? 'a value'}.`;
}

function Parameters({ one }: { readonly one: DescribedFunction }): VNode {
  return (
    <section aria-label="Parameters">
      <h3>Parameters</h3>
      <div class="reference-table" tabIndex={0} role="group" aria-label="Parameters">
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Type</th>
              <th scope="col">Required</th>
            </tr>
          </thead>
          <tbody>
            {one.parameters.map(({ name, type, isRequired, isVariadic }, index) => (
              <tr key={index}>
                <th scope="row">
                  <bdi>{name === '' ? 'the body' : name}</bdi>
                </th>
                <td>
                  <TypeName type={type} />
                  {isVariadic ? <span class="reference-note">variadic</span> : null}
                </td>
                <td>{isRequired ? 'yes' : 'no'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
