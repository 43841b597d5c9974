import { parameterInvalid } from './errors.ts';
import type { StripeState } from './state.ts';

type Fields = Record<string, unknown>;

/** Replaces ids with their objects along paths such as `latest_charge` or `data.charge`. */
export function expandAnswer(state: StripeState, answer: object, paths: string[]): object {
  return paths.reduce((expanded: object, path) => expandPath(state, expanded, path.split('.'), path), answer);
}

function expandPath(state: StripeState, value: object, [name, ...rest]: string[], path: string): object {
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => expandPath(state, item, [name, ...rest], path));
  const fields: Fields = { ...value };
  if (!(name in fields)) {
    throw parameterInvalid('expand', `This property cannot be expanded (${path}).`);
  }
  const found = typeof fields[name] === 'string' ? lookUp(state, fields[name]) : fields[name];
  if (typeof found === 'object' && found !== null) fields[name] = expandPath(state, found, rest, path);
  return fields;
}

function lookUp(state: StripeState, id: string): object | undefined {
  return (
    state.charges.get(id) ??
    state.paymentIntents.get(id) ??
    state.paymentMethods.get(id) ??
    state.refunds.get(id) ??
    state.disputes.get(id)
  );
}
