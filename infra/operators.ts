import type { BaseParts } from './assemble.ts';
import type { OperatorParts } from './operator-server.ts';

/** Serves the operators' port if one is set. Loaded on demand: it brings express and the queue dashboard along. */
export function serveOperators(
  parts: OperatorParts & Pick<BaseParts<unknown>, 'onClose'>,
  port: number | undefined,
): void {
  if (port === undefined) return;
  const server = import('./operator-server.ts').then((module) => module.startOperatorServer(parts, port));
  parts.onClose(async () => (await server)?.close());
}
