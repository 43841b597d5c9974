import { Children, Fragment, isValidElement, type ReactElement, type ReactNode } from 'react';

type Inner = (node: ReactNode) => string;

/** A component that also says how it reads as plain text, so that both parts of a mail tell the same facts. */
export type Part<P> = ((props: P) => ReactElement) & { asText: (props: P, inner: Inner) => string };

export function part<P>(
  html: (props: P) => ReactElement,
  asText: (props: P, inner: Inner) => string,
): Part<P> {
  return Object.assign(html, { asText });
}

/**
 * The plain text of a mail's element tree: parts speak for themselves, other components are called (they are pure and
 * hold no state), other tags give their children.
 */
export function toText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(toText).join('');
  if (!isValidElement<{ children?: ReactNode }>(node)) return '';
  const { type, props } = node;
  if (typeof type === 'string' || type === Fragment) return toText(props.children);
  if (isPart(type)) return type.asText(props, toText);
  return toText((type as (props: object) => ReactNode)(props));
}

/** The texts of the children as paragraphs: one empty line between them, none for a child that says nothing. */
export function paragraphs(children: ReactNode): string {
  return Children.toArray(children).map(toText).filter(Boolean).join('\n\n');
}

function isPart(type: unknown): type is Part<object> {
  return typeof type === 'function' && 'asText' in type;
}
