// Removes hints that name columns the role may not see, because PostgreSQL ignores privileges when it suggests names.
import type { DescribedRelation } from '../../contract/schema-document.ts';
import type { ToolFailure } from '../calls/send-request.ts';
import { type FoundRelation, isColumnVisible } from './describe.ts';

const SUGGESTED = /"([^".]+)\.([^"]+)"/gu;

export function hideNames(failure: ToolFailure, { relation, document }: FoundRelation): ToolFailure {
  const { code, hint, ...others } = failure;
  if (code !== '42703' || hint === undefined) return failure;
  // The rows of an embed may have any name.
  const findPlaces = (name: string | undefined): readonly DescribedRelation[] =>
    name === relation.name ? [relation] : document.relations;
  const isShown = [...hint.matchAll(SUGGESTED)].every(([, place, column]) =>
    findPlaces(place).some(({ columns }) => columns.some((each) => each.name === column && isColumnVisible(each))),
  );
  return isShown ? failure : { code, ...others };
}
