// A type with the labels of an enum.
import type { VNode } from 'preact';
import type { DescribedType } from '../../../src/contract/schema-document.ts';
import { Code } from '../ui/text.tsx';

export function TypeName({ type }: { readonly type: DescribedType }): VNode {
  return (
    <>
      <Code>{type.name}</Code>
      {type.labels === undefined ? null : (
        <span class="reference-note">
          <bdi>{type.labels.join(', ')}</bdi>
        </span>
      )}
    </>
  );
}
