/** A test person. The product identifies people by their subject. */
interface Person {
  sub: string;
  email: string;
  givenName?: string;
  familyName?: string;
  /** Color of the portrait; without one the provider has no picture. */
  color?: string;
  about: string;
}

export const people: Person[] = [
  {
    sub: 'person-pending',
    email: 'ada.lovett@example.com',
    givenName: 'Ada',
    familyName: 'Lovett',
    color: '#2b4fd8',
    about: 'Has not enrolled yet',
  },
  {
    sub: 'person-completed',
    email: 'grace.hooper@example.com',
    givenName: 'Grace',
    familyName: 'Hooper',
    color: '#0f8a77',
    about: 'Has completed her enrollment',
  },
  {
    sub: 'person-nameless',
    email: 'ops-team-without-a-name@customer.example.com',
    about: 'Has an e-mail only: no name, no picture',
  },
  {
    sub: 'person-viewer',
    email: 'vera.holm@querywright.example',
    givenName: 'Vera',
    familyName: 'Holm',
    color: '#97500a',
    about: 'Staff: reads the desk',
  },
  {
    sub: 'person-operator',
    email: 'olive.park@querywright.example',
    givenName: 'Olive',
    familyName: 'Park',
    color: '#6b2bd8',
    about: 'Staff: acts at the desk',
  },
  {
    sub: 'person-second-operator',
    email: 'marcus.webb@querywright.example',
    givenName: 'Marcus',
    familyName: 'Webb',
    color: '#b0306a',
    about: 'Staff: acts at the desk too',
  },
];

export function findPerson(sub: string): Person | undefined {
  return people.find((person) => person.sub === sub);
}

export function claimsOf(person: Person, publicUrl: string): Record<string, string | boolean> {
  const { sub, email, givenName, familyName, color } = person;
  return {
    sub,
    email,
    email_verified: true,
    ...(givenName && familyName
      ? { given_name: givenName, family_name: familyName, name: `${givenName} ${familyName}` }
      : {}),
    ...(color ? { picture: `${publicUrl}/oidc/portraits/${sub}.svg` } : {}),
  };
}

/** A round portrait with the first letter of the name. */
export function portraitOf({ givenName = '', color = '#55607a' }: Person): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><circle cx="48" cy="48" r="48" fill="${color}"/><text x="48" y="64" font-family="system-ui, sans-serif" font-size="44" font-weight="600" text-anchor="middle" fill="#fff">${givenName.slice(0, 1)}</text></svg>`;
}
