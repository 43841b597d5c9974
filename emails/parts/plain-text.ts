import { Children, Fragment, isValidElement, type ReactElement, type ReactNode } from 'react';

type Inner = (node: ReactNode) => string;

/** A component that also renders itself as plain text, so that both parts of an e-mail state the same facts. */
type Part<P> = ((props: P) => ReactElement) & { asText: (props: P, inner: Inner) => string };

export function part<P>(
  html: (props: P) => ReactElement,
  asText: (props: P, inner: Inner) => string,
): Part<P> {
  return Object.assign(html, { asText });
}

/** Renders an element tree as plain text: parts by their `asText`, other components by calling them (they are pure). */
export function toText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(toText).join('');
  if (!isValidElement<{ children?: ReactNode }>(node)) return '';
  const { type, props } = node;
  if (typeof type === 'string' || type === Fragment) return toText(props.children);
  if (isPart(type)) return type.asText(props, toText);
  return toText((type as (props: object) => ReactNode)(props));
}

/** The children's texts, separated by empty lines. */
export function paragraphs(children: ReactNode): string {
  return Children.toArray(children).map(toText).filter(Boolean).join('\n\n');
}

function isPart(type: unknown): type is Part<object> {
  return typeof type === 'function' && 'asText' in type;
}
