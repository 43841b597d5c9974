/**
 * Tells zod, before it is fetched, not to compile its checks: it would try `new Function` first, and the security
 * policy would report each try. This is the object that zod itself looks for, so the library need not be loaded here.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
