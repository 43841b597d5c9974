import fc from 'fast-check';

// Mutation runs repeat every test a thousand times: a property gets a quarter of a second.
fc.configureGlobal({ interruptAfterTimeLimit: 250 });
