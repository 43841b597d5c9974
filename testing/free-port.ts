export { freePort } from '@querywright/sandbox/listen';
