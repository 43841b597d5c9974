import { useQuery } from '@tanstack/react-query';
import { Route, Routes, useNavigate } from 'react-router-dom';
import { deskPages } from '../../../core/desk-paths.ts';
import { DeskHeader } from './desk-header.tsx';
import { meQuery } from './desk-queries.ts';
import { OrderPage } from './order-page.tsx';
import { OrdersPage } from './orders-page.tsx';
import { Failure, Heading, Loading, SessionEnded } from './parts.tsx';
import { PeoplePage } from './people-page.tsx';
import { RecordPage } from './record-page.tsx';
import { isSignedOut, useSessionCheck } from './session.ts';
import { TodayPage } from './today-page.tsx';
import { useSearchKey } from './use-keys.ts';
import { useNavigation } from './use-navigation.ts';

export function DeskApp() {
  const me = useQuery(meQuery);
  const navigate = useNavigate();
  useNavigation();
  useSessionCheck();
  useSearchKey(() => navigate(deskPages.orders, { state: { isSearching: true } }));
  // Once loaded, the pages stay unless the session has ended.
  if (me.isError && (!me.data || isSignedOut(me.error))) {
    return (
      <main className="content py-16">
        {isSignedOut(me.error) ? (
          <SessionEnded />
        ) : (
          <Failure error={me.error} onRetry={() => void me.refetch()} />
        )}
      </main>
    );
  }
  if (!me.data) return <Loading label="Opening the desk" />;
  return (
    <>
      <DeskHeader me={me.data} />
      <main className="content py-8 lg:py-10" id="main" tabIndex={-1}>
        <Routes>
          <Route path={deskPages.today} element={<TodayPage me={me.data} />} />
          <Route path={deskPages.orders} element={<OrdersPage me={me.data} />} />
          <Route path={deskPages.order(':orderId')} element={<OrderPage me={me.data} />} />
          <Route path={deskPages.people} element={<PeoplePage me={me.data} />} />
          <Route path={deskPages.record} element={<RecordPage />} />
          <Route path="*" element={<Unknown />} />
        </Routes>
      </main>
    </>
  );
}

function Unknown() {
  return (
    <>
      <Heading>No such page</Heading>
      <p className="mt-2 text-muted">The address may be incomplete.</p>
    </>
  );
}
