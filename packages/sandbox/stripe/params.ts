import { parameterInvalid, parameterMissing, parameterUnknown } from './errors.ts';

/** A parsed form: texts, lists and nested objects such as `metadata[orderId]=…`. */
export type Params = { [name: string]: ParamValue };
type ParamValue = string | ParamValue[] | Params | undefined;

/** Rejects parameters that are misspelled or not implemented. */
export function allowOnly(params: Params, names: readonly string[]): void {
  for (const name of Object.keys(params)) if (!names.includes(name)) throw parameterUnknown(name);
}

export function optionalText(params: Params, name: string): string | undefined {
  const value = params[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw parameterInvalid(name, `Invalid string: ${JSON.stringify(value)}`);
  return value;
}

export function requiredText(params: Params, name: string): string {
  const value = optionalText(params, name);
  if (value === undefined) throw parameterMissing(name);
  return value;
}

export function optionalInteger(params: Params, name: string): number | undefined {
  const text = optionalText(params, name);
  if (text === undefined) return undefined;
  if (!/^-?\d{1,15}$/.test(text)) {
    throw parameterInvalid(name, `Invalid integer: ${text}`, 'parameter_invalid_integer');
  }
  return Number(text);
}

export function textList(params: Params, name: string): string[] {
  const value = params[name];
  if (value === undefined || value === '') return [];
  const items = Array.isArray(value) ? value : Object.values(Object(value));
  return items.filter((item): item is string => typeof item === 'string');
}

export function nested(params: Params, name: string): Params | undefined {
  const value = params[name];
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw parameterInvalid(name, 'Invalid object');
  return value;
}

/** Merges the sent keys; as in Stripe, an empty text removes its key. */
export function mergeMetadata(current: Record<string, string>, params: Params): Record<string, string> {
  if (params.metadata === '') return {};
  const merged = { ...current };
  for (const [key, value] of Object.entries(nested(params, 'metadata') ?? {})) {
    if (typeof value !== 'string')
      throw parameterInvalid(`metadata[${key}]`, 'Metadata values must be strings');
    if (value === '') delete merged[key];
    else merged[key] = value;
  }
  return merged;
}
