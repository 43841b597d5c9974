/** A readable cookie without authority: signed-out visitors need no request that would log a 401 in the console. */
export const SESSION_HINT_COOKIE = 'signed_in';
