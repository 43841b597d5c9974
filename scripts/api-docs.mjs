import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openApiDocument } from '../api/openapi/document.ts';
import { root } from './lib/run.mjs';

// Writes docs/api.md from the API's OpenAPI document; --check fails if it is not current. Run with tsx.

// Answers that most calls share are shown once.
const commonStatuses = ['304', '400', '403', '408', '413', '414', '415', '429', '431', '500', '502', '503'];
const file = path.join(root, 'docs/api.md');
const { paths, tags, components } = openApiDocument('http://localhost:3000');
const operations = Object.entries(paths).flatMap(([address, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    address,
    method: method.toUpperCase(),
    ...operation,
  })),
);
const common = new Map(
  ['getOrder', 'createPaypalOrder']
    .flatMap((id) => Object.entries(operations.find(({ operationId }) => operationId === id).responses))
    .filter(([status]) => commonStatuses.includes(status))
    .sort(([a], [b]) => a - b),
);
const page = render();

if (process.argv.includes('--check')) {
  if (readFileSync(file, 'utf8') === page) process.exit(0);
  console.error('docs/api.md is not current: npm run docs:api');
  process.exit(1);
}
writeFileSync(file, page);

function render() {
  const sections = [
    '# HTTP API',
    'Written by `npm run docs:api` from the contracts with which the handlers parse. `GET /api/openapi.json` serves the same as OpenAPI 3.1.',
    'Amounts are integers in cents. Unknown fields and query parameters are refused. An error is an [Error](#error) with a message for people and a stable `code` for programs; every answer carries an `X-Request-Id`, which the logs repeat. Limits count per address or network and are answered with 429 and `Retry-After`.',
    'Any call may answer as follows. 304 concerns GET; 403, 413 and 415 calls with a body; 429 calls with a limit; 502 calls that ask a provider. The calls below list further or different answers.',
    answers([...common]),
    `| call | does |\n| --- | --- |\n${tags.flatMap(({ name }) => tagged(name).map(row)).join('\n')}`,
    ...tags.flatMap(({ name, description }) => [
      `## ${name}`,
      description,
      ...tagged(name).flatMap(renderOperation),
    ]),
    '## Schemas',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => [`### ${name}`, fields(schema)]),
  ];
  return `${sections.join('\n\n')}\n`;
}

function tagged(name) {
  return operations.filter(({ tags: [tag] }) => tag === name);
}

function row(operation) {
  return `| [\`${call(operation)}\`](#${operation.operationId.toLowerCase()}) | ${operation.summary} |`;
}

function call({ method, address }) {
  return `${method} ${address}`;
}

function renderOperation(operation) {
  const { operationId, summary, description, parameters = [], requestBody, responses, security } = operation;
  const request = [
    ...(security ? ['- Needs a session.'] : []),
    ...parameters.map(
      ({ name, in: place, required, schema }) =>
        `- ${place} \`${name}\`${required ? '' : ' (optional)'}: ${type(schema)}`,
    ),
    ...(requestBody
      ? [`- body${requestBody.required ? '' : ' (optional)'}: ${body(requestBody.content)}`]
      : []),
  ];
  const own = Object.entries(responses).filter(
    ([status, answer]) => JSON.stringify(answer) !== JSON.stringify(common.get(status)),
  );
  return [
    `### ${operationId}`,
    `\`${call(operation)}\`: ${summary}.${description ? ` ${description}` : ''}`,
    ...(request.length > 0 ? [request.join('\n')] : []),
    answers(own),
  ];
}

function answers(entries) {
  const rows = entries.map(
    ([status, answer]) =>
      `| ${status} | ${answer.description} | ${answer.content ? body(answer.content) : ''} |`,
  );
  return `| status | meaning | body |\n| --- | --- | --- |\n${rows.join('\n')}`;
}

function body(content) {
  return Object.entries(content)
    .map(([mediaType, { schema }]) => {
      if (mediaType === 'application/json') return type(schema);
      const shown = schema.contentSchema ?? (schema.type === 'object' ? schema : undefined);
      return `\`${mediaType}\`${shown ? ` of ${type(shown)}` : ''}`;
    })
    .join(' or ');
}

function fields(schema) {
  const rows = Object.entries(schema.properties).map(([name, field]) => {
    const optional = schema.required?.includes(name) ? '' : ' (optional)';
    return `| \`${name}\`${optional} | ${type(field)} |`;
  });
  return `| field | type |\n| --- | --- |\n${rows.join('\n')}`;
}

function type(schema) {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(', ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map(type).join(' or ');
  if (schema.type === 'array') return `array of ${type(schema.items)}`;
  if (schema.type === 'object')
    return Object.keys(schema.properties ?? {}).length > 0 ? inline(schema) : 'object';
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  const range = limits(schema);
  return [schema.format ?? schema.type ?? 'anything', range && `(${range})`].filter(Boolean).join(' ');
}

function inline({ properties }) {
  return `{ ${Object.entries(properties)
    .map(([name, field]) => `\`${name}\`: ${type(field)}`)
    .join(', ')} }`;
}

function limits({ type: kind, minLength, maxLength, exclusiveMinimum, pattern, format }) {
  if (kind === 'integer') return exclusiveMinimum === undefined ? '' : `more than ${exclusiveMinimum}`;
  if (format) return '';
  const shortPattern = pattern && pattern.length < 60 && `\`${pattern.replaceAll('|', '\\|')}\``;
  return [lengths(minLength, maxLength), shortPattern].filter(Boolean).join(', ');
}

function lengths(min, max) {
  if (max === undefined) return min === undefined ? '' : `at least ${min} characters`;
  return min === undefined ? `at most ${max} characters` : `${min} to ${max} characters`;
}
