/**
 * Keeps zod from trying `new Function`, which the security policy would report. This is zod's own configuration
 * object, set without loading the library.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
