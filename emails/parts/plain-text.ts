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

type Block = ReactElement<{ children?: ReactNode }>;

/** Renders an element tree as plain text: parts by their `asText`, other components by calling them (they are pure). */
export function toText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(toText).join('');
  if (!isBlock(node)) return '';
  const { type, props } = node;
  if (typeof type === 'string' || type === Fragment) return toText(props.children);
  if (isPart(type)) return type.asText(props, toText);
  return toText(rendered(node));
}

/** The children's texts, separated by empty lines. A component that renders a fragment stands for the blocks in it. */
export function paragraphs(children: ReactNode): string {
  return Children.toArray(children).map(blocks).filter(Boolean).join('\n\n');
}

function blocks(node: ReactNode): string {
  if (!isBlock(node) || typeof node.type === 'string' || isPart(node.type)) return toText(node);
  return node.type === Fragment ? paragraphs(node.props.children) : blocks(rendered(node));
}

function rendered({ type, props }: Block): ReactNode {
  return (type as (props: object) => ReactNode)(props);
}

function isBlock(node: ReactNode): node is Block {
  return isValidElement(node);
}

function isPart(type: unknown): type is Part<object> {
  return typeof type === 'function' && 'asText' in type;
}
