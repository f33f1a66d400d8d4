// Recognizes the media type of batches.
import type { Dialect } from '../../contract/dialect.ts';

export function isBatchType(contentType: string, { mediaVendor, mediaVendorAliases }: Dialect): boolean {
  const [essence = ''] = contentType.split(';');
  const text = essence.trim().toLowerCase();
  return [mediaVendor, ...mediaVendorAliases].some((vendor) => text === `application/vnd.${vendor}.batch+json`);
}
