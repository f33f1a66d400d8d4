// Section for the embeds of a level, each with its own panel, and the relationships available for embedding.
import { useState } from 'preact/hooks';
import type { VNode } from 'preact';
import type { DescribedRelationship } from '../../../src/contract/schema-document.ts';
import type { EmbedItem } from '../../../src/request/query/query-params.ts';
import { addEmbed, removeEmbed, setEmbedAlias, setJoin, setSpread } from '../url-state/edit-embeds.ts';
import { nameOfEmbed } from '../url-state/levels.ts';
import { Button } from '../ui/button.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Badge, Name } from '../ui/text.tsx';
import { Checkbox } from '../ui/toggle.tsx';
import { embedsOf, type Level, levelOfEmbed, relationshipOf } from './level.ts';
import { RemoveButton } from './remove-button.tsx';
import { Section } from './section.tsx';
import { useTyped } from './use-typed.ts';

const SEARCHED_FROM = 12;

export interface EmbedsSectionProps {
  readonly level: Level;
  /** Renders the panel of an embed. */
  readonly renderLevel: (level: Level) => VNode;
}

export function EmbedsSection({ level, renderLevel }: EmbedsSectionProps): VNode | null {
  const embeds = embedsOf(level);
  const relationships = level.source.relation?.relationships ?? [];
  if (embeds.length === 0 && relationships.length === 0) return null;
  const isTop = level.path.length === 0;
  return (
    <Section
      title="Related rows"
      summary={embeds.length === 0 ? undefined : embeds.map(nameOfEmbed).join(', ')}
      isOpenAtFirst={isTop || embeds.length > 0}
    >
      <div class="builder-stack">
        {embeds.map((embed) => (
          <Embed key={nameOfEmbed(embed)} {...{ level, renderLevel, embed }} />
        ))}
        <Relationships level={level} relationships={relationships} />
      </div>
    </Section>
  );
}

function Embed({ level, renderLevel, embed }: EmbedsSectionProps & { readonly embed: EmbedItem }): VNode {
  const name = nameOfEmbed(embed);
  const own = levelOfEmbed(level, embed);
  const relationship = relationshipOf(level.source, embed);
  const hint = embed.hint === undefined ? '' : ` by ${embed.hint}`;
  return (
    <fieldset class="builder-embed">
      <legend class="ui-unseen">{`Related rows: ${name}`}</legend>
      <div class="ui-row ui-gap-2 builder-card-head">
        <strong class="builder-embed-name">
          <Name text={name} />
        </strong>
        {relationship === undefined ? null : <Badge>{relationship.isToOne ? 'one' : 'many'}</Badge>}
        <RemoveButton label={`Remove ${name}`} onRemove={() => level.change(removeEmbed(level.model, own.path))} />
      </div>
      {embed.alias === undefined && embed.hint === undefined ? null : (
        <p class="builder-note">
          <bdi>
            {embed.target}
            {hint}
          </bdi>
        </p>
      )}
      <EmbedOptions level={own} embed={embed} />
      {relationship?.schema === undefined ? null : (
        <p class="builder-note">
          It is in the schema <bdi>{relationship.schema}</bdi>, whose columns are unknown here. Enter them in the URL.
        </p>
      )}
      {renderLevel(own)}
    </fieldset>
  );
}

const JOINS = [
  { value: 'left', label: 'Kept · left' },
  { value: 'inner', label: 'Left out · inner' },
] as const;

function EmbedOptions({ level, embed }: { readonly level: Level; readonly embed: EmbedItem }): VNode {
  const { model, path } = level;
  const isSpread = embed.kind === 'spread';
  const alias = useTyped(embed.alias ?? '', (text, step) =>
    level.change(setEmbedAlias(model, path, text.trim()), step),
  );
  return (
    <div class="builder-embed-options">
      <div class="builder-pair">
        <SelectField
          label="Rows without it"
          size="small"
          value={embed.join}
          options={JOINS}
          onValue={(value) => level.change(setJoin(model, path, value === 'inner' ? 'inner' : 'left'))}
        />
        {isSpread ? null : <TextField label="Alias" size="small" {...alias} />}
      </div>
      <Checkbox
        label="Spread its columns into the parent row"
        isChecked={isSpread}
        onChange={(isChecked) => level.change(setSpread(model, path, isChecked))}
      />
    </div>
  );
}

interface RelationshipsProps {
  readonly level: Level;
  readonly relationships: readonly DescribedRelationship[];
}

function Relationships({ level, relationships }: RelationshipsProps): VNode | null {
  const [search, setSearch] = useState('');
  const found = relationships.filter(({ address }) => address.toLowerCase().includes(search.toLowerCase()));
  if (relationships.length === 0) return null;
  return (
    <div class="builder-stack">
      {relationships.length < SEARCHED_FROM ? null : (
        <TextField
          label="Search relationships"
          isLabelHidden
          size="small"
          type="search"
          placeholder={`Search ${relationships.length} relationships`}
          value={search}
          onValue={setSearch}
        />
      )}
      <ul class="builder-relationships" aria-label="Relationships">
        {found.map((one) => (
          <li key={one.address}>
            <Button
              icon="plus"
              size="small"
              title={describeRelationship(one)}
              onClick={() => level.change(addEmbed(level.model, level.path, one.address))}
            >
              <span class="ui-unseen">Embed </span>
              <Name text={one.address} />
              <span class="builder-type">{one.isToOne ? 'one' : 'many'}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function describeRelationship({ target, schema, columns, junction }: DescribedRelationship): string {
  const to = schema === undefined ? target : `${schema}.${target}`;
  if (junction !== undefined) return `${to} through ${junction}`;
  return columns.map(([own, other]) => `${own} → ${to}.${other}`).join(', ') || to;
}
