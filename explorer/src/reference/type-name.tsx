// A type with the labels of an enum.
import type { VNode } from 'preact';
import type { DescribedType } from '../../../src/contract/schema-document.ts';
import { shortTypeName } from '../schema/short-type.ts';
import { Code } from '../ui/text.tsx';

export function TypeName({ type }: { readonly type: DescribedType }): VNode {
  return (
    <>
      <span title={type.name}>
        <Code>{shortTypeName(type.name)}</Code>
      </span>
      {type.labels === undefined ? null : (
        <span class="reference-note">
          <bdi>{type.labels.join(', ')}</bdi>
        </span>
      )}
    </>
  );
}
