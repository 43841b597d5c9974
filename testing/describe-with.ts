import { describe } from 'vitest';

/** Tests of what a developer's machine may lack. In CI nothing may: there they fail without it. */
export const describeWith = (isAvailable: boolean) => describe.skipIf(!isAvailable && !process.env.CI);
