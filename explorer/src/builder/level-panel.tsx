// All sections for one level: the top level or an embed.
import type { VNode } from 'preact';
import { ColumnsSection } from './columns-section.tsx';
import { ConditionsSection } from './conditions-section.tsx';
import { EmbedsSection } from './embeds-section.tsx';
import type { Level } from './level.ts';
import { OrderSection } from './order-section.tsx';
import { RowsSection } from './rows-section.tsx';

export function LevelPanel({ level }: { readonly level: Level }): VNode {
  return (
    <>
      <ColumnsSection level={level} />
      <ConditionsSection level={level} />
      <EmbedsSection level={level} renderLevel={(embed) => <LevelPanel level={embed} />} />
      <OrderSection level={level} />
      <RowsSection level={level} />
    </>
  );
}
