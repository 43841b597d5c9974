import { z } from 'zod';
import { type Answer, type Operation, tags } from './operation.ts';
import { operations } from './operations.ts';
import { answerSchemas, requestSchemas } from './schemas.ts';

type Json = Record<string, unknown>;
type Direction = 'input' | 'output';

/** The OpenAPI 3.1 document of the API, made from the contracts that its handlers parse with. */
export function openApiDocument(publicUrl: string, described: readonly Operation[] = operations): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Querywright API',
      version: '1.0.0',
      license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
      description:
        'Amounts are integers in cents. Errors are JSON with a message for people; each answer carries `X-Request-Id`. Unknown fields and query parameters are refused.',
    },
    servers: [{ url: publicUrl }],
    security: [],
    tags: Object.entries(tags)
      .filter(([name]) => described.some(({ tag }) => tag === name))
      .map(([name, description]) => ({ name, description })),
    paths: paths(described),
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } },
      schemas: { ...named(requestSchemas, 'input'), ...named(answerSchemas, 'output') },
    },
  };
}

function paths(described: readonly Operation[]): Record<string, Json> {
  const result: Record<string, Json> = {};
  for (const operation of described) {
    result[operation.path] = { ...result[operation.path], [operation.method]: describe(operation) };
  }
  return result;
}

function describe(operation: Operation): Json {
  const { id, tag, summary, description, body, bodyIsOptional, session } = operation;
  const parameters = [
    ...parametersIn('path', operation.params),
    ...parametersIn('query', operation.query),
    ...parametersIn('header', operation.headers),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    ...(session && { security: [{ session: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: !bodyIsOptional, content: bodyContent(body) } }),
    responses: responses(operation),
  };
}

function bodyContent(body: NonNullable<Operation['body']>): Json {
  const byType = body instanceof z.ZodType ? { 'application/json': body } : body;
  return Object.fromEntries(
    Object.entries(byType).map(([type, schema]) => [type, { schema: reference(schema, 'input') }]),
  );
}

function responses({ answers }: Operation): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const content = answerContent(answer);
      return [status, { description: answer.description, ...(content && { content }) }];
    }),
  );
}

function answerContent({ schema, form = 'json' }: Answer): Json | undefined {
  if (!schema) return undefined;
  const json = reference(schema, 'output');
  const text = { type: 'string' };
  if (form === 'stream') return content('text/event-stream', { ...text, contentSchema: json });
  return { ...(form === 'page' && content('text/html', text)), ...content('application/json', json) };
}

function parametersIn(place: 'path' | 'query' | 'header', schema: z.ZodObject | undefined): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: !(field as z.ZodType).safeParse(undefined).success,
    schema: toSchema(field as z.ZodType, 'input'),
  }));
}

function content(type: string, schema: Json): Json {
  return { [type]: { schema } };
}

const names = new Map<z.ZodType, string>(
  Object.entries({ ...requestSchemas, ...answerSchemas }).map(([name, schema]) => [schema, name]),
);

function reference(schema: z.ZodType, direction: Direction): Json {
  if (schema instanceof z.ZodArray) {
    return { type: 'array', items: reference(schema.element as z.ZodType, direction) };
  }
  const name = names.get(schema);
  return name ? { $ref: `#/components/schemas/${name}` } : toSchema(schema, direction);
}

function named(schemas: Record<string, z.ZodType>, direction: Direction): Json {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, toSchema(schema, direction)]),
  );
}

function toSchema(schema: z.ZodType, io: Direction): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // The format is enough; zod's patterns for it are hundreds of characters long.
    override({ jsonSchema }) {
      if (jsonSchema.format) delete jsonSchema.pattern;
    },
  });
  return rest;
}
