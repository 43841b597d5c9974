import { AuditScorecard } from '../components/artifacts/audit-scorecard.tsx';
import { databaseAudit } from '../content/database-audit.ts';
import { ServiceDetailPage } from '../features/services/service-detail-page.tsx';

export function DatabaseAuditPage() {
  return <ServiceDetailPage slug="audit" detail={databaseAudit} artifact={<AuditScorecard />} />;
}
