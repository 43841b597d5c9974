import { databaseAudit } from '../../core/content/database-audit.ts';
import { AuditScorecard } from '../components/artefacts/audit-scorecard.tsx';
import { ServiceDetailPage } from '../features/services/service-detail-page.tsx';

export function DatabaseAuditPage() {
  return <ServiceDetailPage slug="audit" detail={databaseAudit} artefact={<AuditScorecard />} />;
}
