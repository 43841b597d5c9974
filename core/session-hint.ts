/**
 * A readable cookie (value '1', same life as the session, not HttpOnly, carries no authority) that the API sets at
 * login and clears at logout and when it answers 401 to GET /api/auth/user. Without it the site knows at once that
 * nobody is signed in, and does not ask a question whose answer would be an error in the browser's console.
 */
export const SESSION_HINT_COOKIE = 'signed_in';
