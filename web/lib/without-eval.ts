/** Keeps zod from trying `new Function`, which the policy would report. */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
