// The title of a form: its action and the relation.
import type { VNode } from 'preact';
import type { DescribedRelation } from '../../../src/contract/schema-document.ts';
import { Name } from '../ui/text.tsx';

export interface RelationTitleProps {
  readonly verb: string;
  readonly relation: DescribedRelation;
}

export function RelationTitle({ verb, relation }: RelationTitleProps): VNode {
  return (
    <>
      {verb} <Name text={relation.name} isMono />
    </>
  );
}
