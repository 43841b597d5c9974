import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Exchange } from '../paypal/calls.ts';

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: object;
}
interface Operation {
  requestBody?: { $ref?: string; content?: object };
  responses: Record<string, { $ref?: string; content?: object }>;
}

const documents = ['paypal-checkout-orders-v2', 'paypal-payments-v2', 'paypal-webhooks-v1'];

/** Validates calls and answers against the structure of PayPal's own OpenAPI documents (`specs/`). */
export class PayPalJudge {
  // OpenAPI keywords fail strict mode, and some of PayPal's patterns are invalid with the `u` flag.
  readonly #ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false, validateFormats: false });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #specs: { name: string; spec: OpenApi }[];

  constructor() {
    this.#specs = documents.map((name) => {
      const spec: OpenApi = JSON.parse(
        readFileSync(path.join(import.meta.dirname, `../specs/${name}.json`), 'utf8'),
      );
      this.#ajv.addSchema(spec, name);
      return { name, spec };
    });
  }

  /** The violations of a call and its answer; empty if both are as documented. */
  faults(exchange: Exchange): string[] {
    const found = this.#operation(exchange);
    if (!found) return [`${exchange.method} ${exchange.path} is in none of PayPal's documents`];
    const { name, pointer, operation } = found;
    const answerSlot = operation.responses[exchange.status] ? String(exchange.status) : 'default';
    const succeeded = exchange.status < 300;
    return [
      // A request that was refused as malformed is expected to violate the document.
      ...(succeeded && exchange.requestBody && operation.requestBody
        ? this.#check(
            name,
            this.#contentPointer(pointer, 'requestBody', operation.requestBody),
            exchange.requestBody,
            'request',
          )
        : []),
      ...(operation.responses[answerSlot]
        ? this.#checkAnswer(
            name,
            `${pointer}/responses/${answerSlot}`,
            operation.responses[answerSlot],
            exchange,
          )
        : [`status ${exchange.status} is not one of PayPal's`]),
    ];
  }

  #checkAnswer(
    name: string,
    pointer: string,
    slot: { $ref?: string; content?: object },
    exchange: Exchange,
  ): string[] {
    if (!exchange.answer) return slot.content ? ['the answer has no body'] : [];
    if (!slot.$ref && !slot.content) return [];
    return this.#check(
      name,
      slot.$ref
        ? `${slot.$ref}/content/application~1json/schema`
        : `${pointer}/content/application~1json/schema`,
      exchange.answer,
      'answer',
    );
  }

  #contentPointer(pointer: string, part: string, slot: { $ref?: string }): string {
    return `${slot.$ref ?? `${pointer}/${part}`}/content/application~1json/schema`;
  }

  #check(name: string, pointer: string, json: string, what: string): string[] {
    const $ref = `${name}${pointer}`;
    const validate = this.#validators.get($ref) ?? this.#ajv.compile({ $ref });
    this.#validators.set($ref, validate);
    if (validate(JSON.parse(json))) return [];
    return (validate.errors ?? []).map((error) => `${what} ${error.instancePath} ${error.message}`);
  }

  #operation({ method, path }: Exchange) {
    for (const { name, spec } of this.#specs) {
      for (const [template, operations] of Object.entries(spec.paths)) {
        const operation = operations[method.toLowerCase()];
        const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
        if (!operation || !pattern.test(path)) continue;
        const escaped = template
          .replaceAll('~', '~0')
          .replaceAll('/', '~1')
          .replaceAll('{', '%7B')
          .replaceAll('}', '%7D');
        return { name, operation, pointer: `#/paths/${escaped}/${method.toLowerCase()}` };
      }
    }
    return undefined;
  }
}
