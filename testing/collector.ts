import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '@querywright/sandbox/listen';

/** A span as OTLP/HTTP delivers it, with its attributes as an object. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  service: string;
  attributes: Record<string, string | number | undefined>;
}

export interface Collector {
  url: string;
  spans: CollectedSpan[];
  /** The content type of each request. */
  types: string[];
  /** What it answers. */
  status: number;
  /** The raw bodies received. */
  received(): string;
  /** The names of the span and its known ancestors, each with its service. */
  pathOf(span: CollectedSpan): string[];
  close(): Promise<void>;
}

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number | string };
}

interface TraceRequest {
  resourceSpans: {
    resource: { attributes: Attribute[] };
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes' | 'service'> & { attributes: Attribute[] })[] }[];
  }[];
}

/** Receives traces by OTLP/HTTP in JSON. With `answers: false` it accepts connections and never answers. */
export async function startCollector({ answers = true } = {}): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (req, res) => {
    const body = await text(req);
    if (!answers) return;
    bodies.push(body);
    collector.types.push(req.headers['content-type'] ?? '');
    if (collector.types.at(-1) === 'application/json') spans.push(...read(JSON.parse(body)));
    res.writeHead(collector.status).end();
  });
  const port = await listen(server, 0, '127.0.0.1');
  const collector: Collector = {
    url: `http://127.0.0.1:${port}`,
    spans,
    types: [],
    status: 200,
    received: () => bodies.join('\n'),
    pathOf(span) {
      const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
      return [`${span.service}: ${span.name}`, ...(parent ? collector.pathOf(parent) : [])];
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return collector;
}

function read({ resourceSpans }: TraceRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(toObject(resource.attributes)['service.name']);
    return scopeSpans
      .flatMap((scope) => scope.spans)
      .map(({ attributes, ...span }) => ({ ...span, service, attributes: toObject(attributes) }));
  });
}

function toObject(attributes: Attribute[]): CollectedSpan['attributes'] {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  );
}
