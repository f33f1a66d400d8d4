// Section for the conditions on the rows of a level.
import type { VNode } from 'preact';
import { addCondition, conditionsAt } from '../url-state/edit-conditions.ts';
import { Conditions } from './conditions.tsx';
import type { Level } from './level.ts';
import { Section } from './section.tsx';

export function ConditionsSection({ level }: { readonly level: Level }): VNode {
  const { model, path } = level;
  const conditions = conditionsAt(model, path);
  return (
    <Section
      title="Filters"
      summary={conditions.length === 0 ? undefined : String(conditions.length)}
      isOpenAtFirst={path.length === 0 || conditions.length > 0}
    >
      <Conditions
        {...{ level, conditions, indexes: [] }}
        onAdd={(added, step) => level.change(addCondition(model, { path, indexes: [] }, added), step)}
      />
    </Section>
  );
}
