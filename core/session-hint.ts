/**
 * A readable cookie (value '1', same life as the session, not HttpOnly, carries no authority) that the API sets at
 * login and clears at logout. Without it the site knows at once that nobody is signed in and does not ask.
 */
export const SESSION_HINT_COOKIE = 'signed_in';
