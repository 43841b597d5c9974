/**
 * A readable cookie without authority, set at sign-in with the life of the session and cleared at sign-out and on a 401.
 * Without it the site knows that the visitor is signed out, and skips a request that would log an error in the console.
 */
export const SESSION_HINT_COOKIE = 'signed_in';
