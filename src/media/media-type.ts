// Parses a media type from Accept or Content-Type, and renders its canonical text (`writing.md` §3.1, §15.1, §15.3).
import type { Dialect } from '../contract/dialect.ts';
import { FORMAT_NAMES, formatRow, type FormatName, FORMATS, type FormatWith } from './formats.ts';

export type PlanOption = 'analyze' | 'verbose' | 'settings' | 'buffers' | 'wal';

/** In print order. */
const PLAN_OPTIONS: readonly PlanOption[] = ['analyze', 'verbose', 'settings', 'buffers', 'wal'];

/** Excludes formats of extensions, which are parsed as `other` because they are unknown without the extension. */
type PublicKind = Exclude<FormatName, FormatWith<{ extensions: object }>>;

interface PublicMediaType {
  readonly kind: PublicKind;
}

/** A type that begins with `application/vnd.<vendor>.`, with the vendor's name as requested. */
interface VendorMediaType {
  readonly vendor: string;
}

export interface PlanMediaType extends VendorMediaType {
  readonly kind: 'plan';
  readonly format: 'text' | 'json';
  /** The type whose query is explained. */
  readonly for: MediaType;
  readonly options: readonly PlanOption[];
}

export type MediaType =
  | PublicMediaType
  | ({ readonly kind: 'arrayStripped' } & VendorMediaType)
  | ({ readonly kind: 'object'; readonly stripped: boolean } & VendorMediaType)
  /** The schema description that the explorer reads. */
  | ({ readonly kind: 'schema' } & VendorMediaType)
  | PlanMediaType
  | {
      readonly kind: 'other';
      /** As received. */
      readonly text: string;
      /** Lower-cased `type/subtype`; undefined if the text is not a media type. */
      readonly essence: string | undefined;
    };

export const JSON_TYPE: MediaType = { kind: 'json' };

const VENDOR_ESSENCE = /^application\/vnd\.([^.]+)\.(.+)$/;
const ESSENCE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+$/;
const PUBLIC_TYPES: ReadonlyMap<string, MediaType> = new Map(
  FORMAT_NAMES.filter(isPublic).map((kind) => [FORMATS[kind].mediaType, { kind }]),
);
const EXTENSION_FORMATS: ReadonlyMap<string, FormatName> = new Map(
  FORMAT_NAMES.filter((name) => !isPublic(name)).map((name) => [FORMATS[name].mediaType, name]),
);

function isPublic(name: FormatName): name is PublicKind {
  return formatRow(name).extensions === undefined;
}

const PUBLIC_KINDS: ReadonlySet<string> = new Set(FORMAT_NAMES.filter(isPublic));

function isPublicType(type: MediaType): type is PublicMediaType {
  return PUBLIC_KINDS.has(type.kind);
}

/** Returns the format of a media type; formats of extensions are found even if the extension is disabled. */
export function formatOf(type: MediaType): FormatName | undefined {
  if (isPublicType(type)) return type.kind;
  return type.kind === 'other' && type.essence !== undefined ? EXTENSION_FORMATS.get(type.essence) : undefined;
}

/** Never fails: an unknown type becomes `other`. Ignores malformed parameters. */
export function parseMediaType(text: string, dialect: Dialect): MediaType {
  const semicolon = text.indexOf(';');
  const essence = (semicolon < 0 ? text : text.slice(0, semicolon)).trim().toLowerCase();
  const known = PUBLIC_TYPES.get(essence);
  if (known !== undefined) return known;
  const [, vendor, name] = VENDOR_ESSENCE.exec(essence) ?? [];
  if (
    vendor !== undefined &&
    name !== undefined &&
    (vendor === dialect.mediaVendor || dialect.mediaVendorAliases.includes(vendor))
  ) {
    const parameters = semicolon < 0 ? NO_PARAMETERS : parseParameters(text.slice(semicolon + 1));
    const vendorType = parseVendorType({ vendor, name, parameters }, dialect);
    if (vendorType !== undefined) return vendorType;
  }
  return { kind: 'other', text, essence: ESSENCE.test(essence) ? essence : undefined };
}

/** Returns the canonical text, as in the `SVC107` message: `application/vnd.svc.plan+text; for="application/json"`. */
export function printMediaType(type: MediaType): string {
  if (isPublicType(type)) return FORMATS[type.kind].mediaType;
  switch (type.kind) {
    case 'arrayStripped':
      return `application/vnd.${type.vendor}.array+json;nulls=stripped`;
    case 'object':
      return `application/vnd.${type.vendor}.object+json${type.stripped ? ';nulls=stripped' : ''}`;
    case 'schema':
      return `application/vnd.${type.vendor}.schema+json`;
    case 'plan': {
      const options = type.options.length === 0 ? '' : `; options=${type.options.join('|')}`;
      return `application/vnd.${type.vendor}.plan+${type.format}; for="${printMediaType(type.for)}"${options}`;
    }
    case 'other':
      return type.text;
  }
}

/** Returns the value of a response's `Content-Type` (`writing.md` §15.3). */
export function contentTypeOf(type: MediaType): string {
  if (isPublicType(type)) return contentTypeOfFormat(type.kind === 'any' ? 'octets' : type.kind);
  switch (type.kind) {
    case 'arrayStripped':
    case 'object':
    case 'schema':
    case 'plan':
      return `${printMediaType(type)}; charset=utf-8`;
    case 'other':
      return type.essence ?? type.text;
  }
}

export function contentTypeOfFormat(name: FormatName): string {
  const { mediaType, charset } = formatRow(name);
  return charset === undefined ? mediaType : `${mediaType}; charset=${charset}`;
}

type Parameters = ReadonlyMap<string, string>;

const NO_PARAMETERS: Parameters = new Map();

interface VendorTypeText extends VendorMediaType {
  /** `object+json` */
  readonly name: string;
  readonly parameters: Parameters;
}

/** The formats of PATCH bodies, of which the first is the one to describe (`beyond.md` §2.6). */
export function listPatchTypes({ mediaVendor, mediaVendorAliases }: Dialect): {
  readonly merge: string;
  readonly operations: readonly string[];
} {
  const operations = [mediaVendor, ...mediaVendorAliases].map((vendor) => `application/vnd.${vendor}.patch+json`);
  return { merge: 'application/merge-patch+json', operations };
}

function parseVendorType({ vendor, name, parameters }: VendorTypeText, dialect: Dialect): MediaType | undefined {
  const stripped = parameters.get('nulls') === 'stripped';
  switch (name) {
    case 'object':
    case 'object+json':
      return { kind: 'object', stripped, vendor };
    case 'array':
    case 'array+json':
      return stripped ? { kind: 'arrayStripped', vendor } : JSON_TYPE;
    case 'schema+json':
      return { kind: 'schema', vendor };
    case 'plan':
    case 'plan+text':
      return { kind: 'plan', format: 'text', ...parsePlanParameters(parameters, dialect), vendor };
    case 'plan+json':
      return { kind: 'plan', format: 'json', ...parsePlanParameters(parameters, dialect), vendor };
    default:
      return undefined;
  }
}

function parsePlanParameters(parameters: Parameters, dialect: Dialect): Pick<PlanMediaType, 'for' | 'options'> {
  const inner = parameters.get('for');
  const options = new Set<string>(parameters.get('options')?.split('|'));
  return {
    for: inner === undefined ? JSON_TYPE : parseMediaType(inner, dialect),
    options: PLAN_OPTIONS.filter((option) => options.has(option)),
  };
}

/** Parses `name=value` or `name="value"` pairs separated by semicolons outside quotes. */
function parseParameters(text: string): Parameters {
  const parameters = new Map<string, string>();
  for (const part of splitOutsideQuotes(text)) {
    const equals = part.indexOf('=');
    if (equals > 0) parameters.set(part.slice(0, equals).trim().toLowerCase(), unquote(part.slice(equals + 1).trim()));
  }
  return parameters;
}

function splitOutsideQuotes(text: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    if (text[index] === '"') isQuoted = !isQuoted;
    if (text[index] === ';' && !isQuoted) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

function unquote(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}
