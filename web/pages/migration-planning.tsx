import { MigrationTimeline } from '../components/artifacts/migration-timeline.tsx';
import { migrationPlanning } from '../content/migration-planning.ts';
import { ServiceDetailPage } from '../features/services/service-detail-page.tsx';

export function MigrationPlanningPage() {
  return <ServiceDetailPage slug="migration" detail={migrationPlanning} artifact={<MigrationTimeline />} />;
}
