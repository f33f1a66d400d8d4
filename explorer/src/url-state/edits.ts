// Everything by which the builder changes a request: each edit takes a model and gives a new one. Levels are addressed by
// the names of embeds on the way (`[]`: the top); what does not exist is left as it is.
export * from './edit-arguments.ts';
export * from './edit-columns.ts';
export * from './edit-conditions.ts';
export * from './edit-embeds.ts';
export * from './edit-order.ts';
export * from './edit-ranges.ts';
export { type EmbedPath, embedAt, isEmbed, listEmbedPaths, nameOfEmbed, selectAt } from './levels.ts';
