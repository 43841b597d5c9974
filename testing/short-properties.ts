import fc from 'fast-check';

// Mutation runs repeat every test a thousand times: a property gets a tenth of a second.
fc.configureGlobal({ interruptAfterTimeLimit: 100 });
